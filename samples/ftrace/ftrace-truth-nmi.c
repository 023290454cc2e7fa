// SPDX-License-Identifier: GPL-2.0
/*
 * The same functions called from NMIs.  A CPU sends one to itself while a function
 * waits for it, so that the order of calls is known.  Another CPU sends NMIs at any
 * time, which also interrupt code that has interrupts disabled, the tracer included.
 */

/*
 * The CPU that is to get an NMI, or -1.  Set by the sender, cleared by the NMI after
 * its last note.  So there is one at a time, and no other NMI is taken for ours.
 */
static atomic_t truth_nmi_cpu = ATOMIC_INIT(-1);
static void (*truth_nmi_drive)(void);

static notrace int truth_nmi(unsigned int type, struct pt_regs *regs)
{
	if (atomic_read(&truth_nmi_cpu) != raw_smp_processor_id())
		return NMI_DONE;
	truth_nmi_drive();
	atomic_set_release(&truth_nmi_cpu, -1);
	return NMI_HANDLED;
}

static notrace void truth_send_nmi(int cpu)
{
	if (atomic_cmpxchg(&truth_nmi_cpu, -1, cpu) == -1)
		apic->send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
}

/* A machine may be unable to send NMIs: do not wait forever */
static notrace void truth_wait_for_nmi(void)
{
	u64 end = ktime_get_mono_fast_ns() + 5ULL * NSEC_PER_SEC;

	/* Pairs with truth_nmi() */
	while (atomic_read_acquire(&truth_nmi_cpu) != -1) {
		if (ktime_get_mono_fast_ns() > end) {
			truth_error = -ETIMEDOUT;
			return;
		}
		cpu_relax();
	}
}

static __truth long TRUTH(interrupted_by_nmi)(u16 a, void *b)
{
	truth_in(UINT(a), PTR(b));
	truth_send_nmi(raw_smp_processor_id());
	truth_wait_for_nmi();
	return truth_result(long, TRUTH_SIGNED);
}

static notrace void truth_drive_nmi(void)
{
	truth_drive_context();
	TRUTH(interrupted_by_nmi)(truth_random_word(), (void *)(unsigned long)truth_random_word());
}

static notrace void truth_call_some(void)
{
	truth_call_nr((u32)truth_random() % TRUTH_NR_FUNCTIONS);
	truth_call_nr((u32)truth_random() % TRUTH_NR_FUNCTIONS);
}

static notrace void truth_nmi_register(void (*drive)(void))
{
	int ret;

	truth_nmi_drive = drive;
	atomic_set(&truth_nmi_cpu, -1);
	ret = register_nmi_handler(NMI_LOCAL, truth_nmi, 0, TRUTH_DIR);
	if (ret)
		truth_error = ret;
}

static notrace void truth_nmi_unregister(void)
{
	unregister_nmi_handler(NMI_LOCAL, TRUTH_DIR);
}

static notrace void truth_nmi_start(void)
{
	truth_nmi_register(truth_drive_context);
}

/* Long enough that the interrupted code proceeds between two NMIs */
#define TRUTH_NMI_STORM_NS	NSEC_PER_MSEC

static struct hrtimer truth_nmi_timer;
static int truth_nmi_target;

static notrace enum hrtimer_restart truth_nmi_tick(struct hrtimer *timer)
{
	truth_send_nmi(truth_nmi_target);
	hrtimer_forward_now(timer, ns_to_ktime(TRUTH_NMI_STORM_NS));
	return HRTIMER_RESTART;
}

static notrace void truth_nmi_start_timer(void *unused)
{
	hrtimer_start(&truth_nmi_timer, ns_to_ktime(TRUTH_NMI_STORM_NS),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

static notrace void truth_nmi_storm_start(void)
{
	unsigned int sender;

	truth_nmi_target = raw_smp_processor_id();
	truth_nmi_register(truth_call_some);
	sender = cpumask_any_but(cpu_online_mask, truth_nmi_target);
	if (sender >= nr_cpu_ids)
		truth_error = -ENODEV;
	if (!truth_error)
		smp_call_function_single(sender, truth_nmi_start_timer, NULL, true);
}

static notrace void truth_nmi_storm_stop(void)
{
	hrtimer_cancel(&truth_nmi_timer);
	truth_wait_for_nmi();
	truth_nmi_unregister();
}

static notrace void truth_init_nmi(void)
{
	hrtimer_init(&truth_nmi_timer, CLOCK_MONOTONIC,
		     HRTIMER_MODE_REL_PINNED_HARD);
	truth_nmi_timer.function = truth_nmi_tick;
}
