// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupts, a kernel thread, and another CPU that writes; included by
 * ftrace-truth-pointers.c.  Only a task's own system call may look at the user's memory.
 */

static unsigned long truth_present;	/* the user's, and present */
static struct completion truth_done;

static void truth_call_in_context(void)
{
	char shown[TRUTH_SHOWN];
	int number = 1;

	truth_p_text("in this context");
	truth_p_s32(&number);
	truth_expected = truth_fault(shown, (void *)truth_present);
	truth_p_user((const char __user *)truth_present);
	truth_expected = NULL;
	/* Pairs with truth_wait() */
	complete(&truth_done);
}

static void truth_hardirq(struct irq_work *work)
{
	truth_call_in_context();
}

static void truth_softirq(struct tasklet_struct *tasklet)
{
	truth_call_in_context();
}

static struct irq_work truth_irq_work = IRQ_WORK_INIT_HARD(truth_hardirq);
static DECLARE_TASKLET(truth_tasklet, truth_softirq);

static void truth_wait(void)
{
	while (!try_wait_for_completion(&truth_done))
		cpu_relax();
}

/* The interrupt arrives while the function runs: both have strings of their own */
static __truth void truth_p_interrupted(const char *text)
{
	char shown[TRUTH_SHOWN];

	truth_entered("text=%s", truth_string(shown, text));
	irq_work_queue(&truth_irq_work);
	truth_wait();
	truth_returned("");
}

static __truth void truth_p_interrupted_softly(const char *text)
{
	char shown[TRUTH_SHOWN];

	truth_entered("text=%s", truth_string(shown, text));
	local_bh_disable();
	tasklet_schedule(&truth_tasklet);
	local_bh_enable();
	truth_wait();
	truth_returned("");
}

static int truth_thread(void *unused)
{
	truth_call_in_context();
	return 0;
}

static void truth_run_thread(void)
{
	struct task_struct *task = kthread_create(truth_thread, NULL, "truth");

	if (IS_ERR(task))
		return;
	/* On this CPU, so that the trace has one order */
	kthread_bind(task, raw_smp_processor_id());
	wake_up_process(task);
	wait_for_completion(&truth_done);
}

static void truth_run_contexts(unsigned int unused)
{
	truth_present = truth_map(NULL, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE);
	if (!truth_present)
		return;
	if (!copy_to_user((void __user *)truth_present, "present", 8)) {
		truth_expected = "\"present\"";
		truth_p_user((const char __user *)truth_present);
		truth_expected = NULL;
		truth_p_interrupted("a hard interrupt");
		truth_p_interrupted_softly("a soft interrupt");
		truth_run_thread();
	}
	truth_unmap(truth_present);
}

/*
 * Races: another CPU writes one of two texts, of different lengths, all the time.
 */

#define TRUTH_SHORT	"short"
#define TRUTH_LONG	"a much longer text \"with\" quotes"

static char truth_text[TRUTH_TEXT];

static int truth_write(void *unused)
{
	unsigned int n = 0;

	while (!kthread_should_stop()) {
		/* In pieces, so that there are moments without a NUL where one was */
		if (n & 1)
			memcpy(truth_text, TRUTH_SHORT, sizeof(TRUTH_SHORT));
		else
			memcpy(truth_text, TRUTH_LONG, sizeof(TRUTH_LONG));
		if (!(++n % 1024))
			cond_resched();
	}
	return 0;
}

static __truth void truth_p_race(const char *text, char *changed, const void *buf, size_t len)
{
	/* It is the trace that counts */
	cpu_relax();
}

static void truth_run_races(unsigned int times)
{
	struct task_struct *task = kthread_run(truth_write, NULL, "truth-write");

	if (IS_ERR(task))
		return;
	for (; times; times--) {
		truth_p_race(truth_text, truth_text, truth_text, 24);
		cond_resched();
	}
	kthread_stop(task);
}
