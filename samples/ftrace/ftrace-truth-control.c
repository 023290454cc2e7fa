// SPDX-License-Identifier: GPL-2.0
/* The files in debugfs; see ftrace-truth.h for what they do */

typedef void (*truth_any)(ulong w0, ulong w1, ulong w2, ulong w3,
			  ulong w4, ulong w5, ulong w6, ulong w7,
			  ulong w8, ulong w9, ulong w10, ulong w11,
			  ulong w12, ulong w13, ulong w14, ulong w15,
			  ulong w16, ulong w17, ulong w18, ulong w19,
			  ulong w20, ulong w21, ulong w22, ulong w23,
			  ulong w24, ulong w25, ulong w26, ulong w27,
			  ulong w28, ulong w29, ulong w30, ulong w31);

/*
 * Call a function with words in all places where parameters can be.  The
 * psABI allows this: the caller cleans the stack, so that more words than the
 * function knows of do no harm, and it gives no meaning to the bits of a word
 * that a narrower parameter leaves.  (On x86-32 a function takes the address of
 * its result from the stack itself, if it was there; no function here has it
 * there.)
 */
static __truth_note void truth_call_words(void *call, const unsigned long *w)
{
	((truth_any)call)(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7],
			  w[8], w[9], w[10], w[11], w[12], w[13], w[14], w[15],
			  w[16], w[17], w[18], w[19], w[20], w[21], w[22],
			  w[23], w[24], w[25], w[26], w[27], w[28], w[29],
			  w[30], w[31]);
	static_assert(TRUTH_WORDS == 32);
}

static notrace void truth_call(const struct truth_function *function)
{
	unsigned long words[TRUTH_WORDS];
	unsigned int i;
	u64 result[8];

	for (i = 0; i < TRUTH_WORDS; i++) {
		words[i] = truth_word(i);
		if (function->bools >> i & 1)
			words[i] &= ~0xfeUL;
	}
	if (function->hidden)
		words[0] = (unsigned long)result;
	truth_call_words(function->call, words);
}

#define TRUTH_NR_SCALARS	ARRAY_SIZE(truth_scalars)
#define TRUTH_NR_FUNCTIONS	(TRUTH_NR_SCALARS + ARRAY_SIZE(truth_bytes))

static notrace const struct truth_function *truth_function(unsigned int nr)
{
	if (nr < TRUTH_NR_SCALARS)
		return &truth_scalars[nr];
	return &truth_bytes[nr - TRUTH_NR_SCALARS];
}

static notrace void truth_call_nr(unsigned int nr)
{
	truth_call(truth_function(nr));
}

static notrace void truth_call_all(void)
{
	unsigned int nr;

	for (nr = 0; nr < TRUTH_NR_FUNCTIONS; nr++)
		truth_call_nr(nr);
}

/* Leaves the interrupted code time to proceed, however slow the machine is */
#define TRUTH_STORM_NS	(200 * NSEC_PER_USEC)

static struct hrtimer truth_storm_timer;

static notrace enum hrtimer_restart truth_storm_irq(struct hrtimer *timer)
{
	truth_call_nr((u32)truth_random() % TRUTH_NR_FUNCTIONS);
	truth_call_nr((u32)truth_random() % TRUTH_NR_FUNCTIONS);
	hrtimer_forward_now(timer, ns_to_ktime(TRUTH_STORM_NS));
	return HRTIMER_RESTART;
}

static notrace void truth_storm_start(void)
{
	hrtimer_start(&truth_storm_timer, ns_to_ktime(TRUTH_STORM_NS),
		      HRTIMER_MODE_REL_PINNED);
}

static notrace void truth_storm_stop(void)
{
	hrtimer_cancel(&truth_storm_timer);
}

/* The error of the running command */
static int truth_error;

#include "ftrace-truth-nmi.c"

/* What can be written to "run": the first word of a command, and what it calls */
static const struct truth_command {
	const char *name;
	void (*drive)(void);	/* as often as the command says */
	void (*start)(void);	/* before, may be NULL */
	void (*stop)(void);	/* after, may be NULL */
} truth_commands[] = {
	{ "random", truth_call_all },
	{ "nested", truth_drive_nested },
	{ "clones", truth_drive_clones },
	{ "irq", truth_drive_irq },
	{ "storm", truth_call_all, truth_storm_start, truth_storm_stop },
	{ "nmi", truth_drive_nmi, truth_nmi_start, truth_nmi_unregister },
	{ "nmistorm", truth_call_all, truth_nmi_storm_start, truth_nmi_storm_stop },
};

static notrace void truth_run_known(void)
{
	for (truth_round = 0; truth_round < ARRAY_SIZE(truth_edges); truth_round++)
		truth_call_all();
	truth_round = -1;
}

static notrace int truth_run_command(const struct truth_command *command,
				     u64 seed, unsigned int count)
{
	truth_error = 0;
	prandom_seed_state(&truth_random_state, seed);
	if (command->start)
		command->start();
	while (count-- && !truth_error) {
		command->drive();
		cond_resched();
	}
	if (command->stop)
		command->stop();
	return truth_error;
}

static notrace int truth_run(const char *line)
{
	const struct truth_command *command = truth_commands;
	unsigned int i, count;
	char name[16];
	u64 seed;
	int n;

	if (sysfs_streq(line, "clear"))
		return truth_clear();
	if (sysfs_streq(line, "known")) {
		truth_run_known();
		return 0;
	}

	n = sscanf(line, "%15s %llu %u", name, &seed, &count);
	if (n != 3)
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(truth_commands); i++, command++) {
		if (!strcmp(command->name, name))
			return truth_run_command(command, seed, count);
	}
	return -EINVAL;
}

static DEFINE_MUTEX(truth_mutex);

static ssize_t truth_run_write(struct file *file, const char __user *ubuf,
			       size_t size, loff_t *pos)
{
	char line[64];
	int ret = 0;

	if (size >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, ubuf, size))
		return -EFAULT;
	line[size] = '\0';

	mutex_lock(&truth_mutex);
	if (!truth_lines)
		ret = truth_clear();
	if (!ret) {
		/*
		 * On one CPU, so that the trace has one order, too.  Taking a
		 * CPU offline waits for tasks that cannot leave it, so such a
		 * task must not wait for that.
		 */
		cpus_read_lock();
		migrate_disable();
		ret = truth_run(line);
		migrate_enable();
		cpus_read_unlock();
	}
	mutex_unlock(&truth_mutex);
	return ret ?: size;
}

static const struct file_operations truth_run_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = truth_run_write,
};

static void *truth_notes_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&truth_mutex);
	return *pos <= atomic_read(&truth_nr_lines) ? pos : NULL;
}

static void *truth_notes_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return *pos <= atomic_read(&truth_nr_lines) ? pos : NULL;
}

static void truth_notes_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&truth_mutex);
}

/* The position after the last line shows how many notes were lost */
static int truth_notes_show(struct seq_file *m, void *v)
{
	int nr = atomic_read(&truth_nr_lines);
	loff_t pos = *(loff_t *)v;

	if (pos < min(nr, TRUTH_LINES))
		seq_printf(m, "%s\n", truth_lines[pos]);
	else if (pos == nr && nr > TRUTH_LINES)
		seq_printf(m, "! %d notes lost\n", nr - TRUTH_LINES);
	return 0;
}

static const struct seq_operations truth_notes_sops = {
	.start = truth_notes_start,
	.next = truth_notes_next,
	.stop = truth_notes_stop,
	.show = truth_notes_show,
};

DEFINE_SEQ_ATTRIBUTE(truth_notes);

static int truth_may_hide_show(struct seq_file *m, void *v)
{
	unsigned int nr;

	for (nr = 0; nr < TRUTH_NR_FUNCTIONS; nr++) {
		if (truth_function(nr)->may_hide)
			seq_printf(m, "%ps\n", truth_function(nr)->call);
	}
	return 0;
}

DEFINE_SHOW_ATTRIBUTE(truth_may_hide);

static struct dentry *truth_dir;

static int __init truth_init(void)
{
	hrtimer_init(&truth_storm_timer, CLOCK_MONOTONIC,
		     HRTIMER_MODE_REL_PINNED);
	truth_storm_timer.function = truth_storm_irq;
	truth_init_nmi();
	truth_init_edges();
	truth_init_twins();

	truth_dir = debugfs_create_dir(TRUTH_DIR, NULL);
	debugfs_create_file("run", 0200, truth_dir, NULL, &truth_run_fops);
	debugfs_create_file("notes", 0400, truth_dir, NULL, &truth_notes_fops);
	debugfs_create_file("may_hide", 0400, truth_dir, NULL, &truth_may_hide_fops);
	return 0;
}
module_init(truth_init);
