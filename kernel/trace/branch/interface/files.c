// SPDX-License-Identifier: GPL-2.0
/*
 * The directory branch/ of an instance: what its context is about, and how it traces.
 */
#include <linux/cred.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/pid.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracefs.h>
#include <linux/uaccess.h>

#include "../../trace.h"
#include "../branch.h"
#include "files.h"
#include "instance.h"

/* The longest text that the files take at once, but for task, which takes any */
#define MAX_TEXT	255

/*
 * The error log keeps tables of reasons, not reasons. Backends bring their own, so this is filled
 * as they come. It is changed under event_mutex.
 */
static const char *reasons[] = {
	"refused, for one of too many reasons",
	[63] = NULL,
};

static u8 reason_number(const char *why)
{
	u8 i;

	for (i = 1; i < ARRAY_SIZE(reasons); i++) {
		if (!reasons[i])
			reasons[i] = why;
		if (reasons[i] == why)
			return i;
	}
	return 0;
}

/* Why a text was refused, and which of its characters is to blame */
struct refusal {
	struct branch_refusal	of;
	unsigned int		pos;
};

/* A newline or a tab would move the mark away from what it marks */
static void make_printable(char *text)
{
	for (; *text; text++) {
		if (!isascii(*text) || !isprint(*text))
			*text = '?';
	}
}

/* The state that a file belongs to. Context: event_mutex is held. */
static struct branch_instance *instance_of(const struct file *file)
{
	return branch_instance_of(file_inode(file)->i_private);
}

static void log_text(struct file *file, const char *name, const char *text, const char *why,
		     unsigned int pos)
{
	char shown[MAX_TEXT + 1];

	lockdep_assert_held(&event_mutex);
	strscpy(shown, text);
	make_printable(shown);
	tracing_log_err(file_inode(file)->i_private, name, shown, reasons, reason_number(why), pos);
}

/* A function that was chosen before may be to blame for what is refused now */
static void log_refusal(struct file *file, const char *text, const struct refusal *refusal)
{
	const char *name = file_dentry(file)->d_name.name;

	if (refusal->of.of_functions && strcmp(name, "function"))
		log_text(file, "function", instance_of(file)->attr.functions, refusal->of.why,
			 refusal->of.in_functions);
	else
		log_text(file, name, text, refusal->of.why, refusal->pos);
}

/* A file that holds one choice: how it is shown, and how a new one is taken */
struct choice {
	const char	*name;
	void		(*show)(struct seq_file *m, struct branch_instance *instance);
	int		(*take)(struct branch_instance *instance, const struct cred *cred,
				char *text, struct refusal *refusal);
};

static void show_cpu(struct seq_file *m, struct branch_instance *instance)
{
	if (!instance->ctx || instance->attr.subject == BRANCH_TASK)
		seq_puts(m, "none\n");
	else if (instance->attr.subject == BRANCH_ALL_CPUS)
		seq_puts(m, "all\n");
	else
		seq_printf(m, "%d\n", instance->attr.cpu);
}

static int take_cpu(struct branch_instance *instance, const struct cred *cred, char *text,
		    struct refusal *refusal)
{
	int cpu, ret;

	if (!strcmp(text, "none")) {
		if (instance->ctx && instance->attr.subject != BRANCH_TASK)
			branch_choose_nothing(instance);
		return 0;
	}
	if (!strcmp(text, "all"))
		return branch_choose_cpus(instance, cred, BRANCH_ALL_CPUS, 0, &refusal->of);
	ret = kstrtoint(text, 10, &cpu);
	if (ret) {
		refusal->of.why = "a number of a CPU, \"all\" or \"none\" can be chosen";
		return -EINVAL;
	}
	return branch_choose_cpus(instance, cred, BRANCH_CPU, cpu, &refusal->of);
}

static const char *const mode_names[] = { "user", "kernel" };

static void show_mode(struct seq_file *m, struct branch_instance *instance)
{
	const char *between = "";
	unsigned int mode;

	for (mode = 0; mode < ARRAY_SIZE(mode_names); mode++) {
		if (!(instance->attr.modes & BIT(mode)))
			continue;
		seq_printf(m, "%s%s", between, mode_names[mode]);
		between = " ";
	}
	seq_putc(m, '\n');
}

static int take_mode(struct branch_instance *instance, const struct cred *cred, char *text,
		     struct refusal *refusal)
{
	const char *begin = text;
	unsigned int modes = 0;
	char *word;
	int mode;

	static_assert(BRANCH_USER == BIT(0) && BRANCH_KERNEL == BIT(1));
	refusal->of.why = "\"user\", \"kernel\" or \"user kernel\" can be chosen";
	while ((word = strsep(&text, " "))) {
		refusal->pos = word - begin;
		mode = match_string(mode_names, ARRAY_SIZE(mode_names), word);
		if (mode >= 0)
			modes |= BIT(mode);
		else if (*word)
			return -EINVAL;
	}
	if (!modes)
		return -EINVAL;
	refusal->pos = 0;
	return branch_choose_modes(instance, cred, modes, &refusal->of);
}

static void show_functions(struct seq_file *m, struct branch_instance *instance)
{
	seq_printf(m, "%s\n", instance->attr.functions ?: "");
}

static int take_functions(struct branch_instance *instance, const struct cred *cred, char *text,
			  struct refusal *refusal)
{
	int ret = branch_choose_functions(instance, cred, *text ? text : NULL, &refusal->of);

	refusal->pos = refusal->of.in_functions;
	return ret;
}

static void show_inherit(struct seq_file *m, struct branch_instance *instance)
{
	seq_printf(m, "%d\n", instance->attr.inherit);
}

static int take_inherit(struct branch_instance *instance, const struct cred *cred, char *text,
			struct refusal *refusal)
{
	unsigned int inherit;

	if (kstrtouint(text, 10, &inherit) || inherit > 1) {
		refusal->of.why = "0 or 1 can be chosen";
		return -EINVAL;
	}
	return branch_choose_inherit(instance, cred, inherit, &refusal->of);
}

struct backends_shown {
	struct seq_file	*m;
	const char	*chosen;
};

static void show_backend_name(void *data, const struct branch_backend *backend)
{
	struct backends_shown *shown = data;
	bool chosen = shown->chosen && !strcmp(shown->chosen, backend->name);

	seq_printf(shown->m, chosen ? " [%s]" : " %s", backend->name);
}

static void show_backend(struct seq_file *m, struct branch_instance *instance)
{
	struct backends_shown shown = { .m = m, .chosen = instance->attr.backend };

	seq_puts(m, shown.chosen ? "any" : "[any]");
	branch_backend_show(show_backend_name, &shown);
	seq_putc(m, '\n');
}

static int take_backend(struct branch_instance *instance, const struct cred *cred, char *text,
			struct refusal *refusal)
{
	return branch_choose_backend(instance, cred, strcmp(text, "any") ? text : NULL,
				     &refusal->of);
}

static const struct choice choices[] = {
	{ "cpu", show_cpu, take_cpu },
	{ "mode", show_mode, take_mode },
	{ "function", show_functions, take_functions },
	{ "inherit", show_inherit, take_inherit },
	{ "backend", show_backend, take_backend },
};

/* Directory entries keep their names: a file's tells which choice it holds */
static const struct choice *choice_of(const struct file *file)
{
	const char *name = file_dentry(file)->d_name.name;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(choices) - 1; i++) {
		if (!strcmp(choices[i].name, name))
			break;
	}
	return &choices[i];
}

static int show_choice(struct seq_file *m, void *unused)
{
	struct branch_instance *instance;

	guard(mutex)(&event_mutex);
	instance = instance_of(m->file);
	if (!instance)
		return -ENOMEM;
	choice_of(m->file)->show(m, instance);
	return 0;
}

static int take(struct file *file, char *text)
{
	struct branch_instance *instance;
	struct refusal refusal = { };
	char given[MAX_TEXT + 1];
	int ret;

	strscpy(given, text);
	guard(mutex)(&event_mutex);
	instance = instance_of(file);
	if (!instance)
		return -ENOMEM;
	ret = choice_of(file)->take(instance, file->f_cred, text, &refusal);
	if (ret)
		log_refusal(file, given, &refusal);
	return ret;
}

static int refuse_too_long(struct file *file, const char *text)
{
	struct refusal refusal = { .of.why = "this is too long", .pos = MAX_TEXT };

	guard(mutex)(&event_mutex);
	log_refusal(file, text, &refusal);
	return -E2BIG;
}

static ssize_t write_choice(struct file *file, const char __user *ubuf, size_t count, loff_t *ppos)
{
	size_t taken = min_t(size_t, count, MAX_TEXT);
	char text[MAX_TEXT + 1];
	int ret;

	if (copy_from_user(text, ubuf, taken))
		return -EFAULT;
	text[taken] = '\0';
	ret = taken < count ? refuse_too_long(file, text) : take(file, strim(text));
	return ret ?: count;
}

static int open_single(struct inode *inode, struct file *file,
		       int (*show)(struct seq_file *m, void *unused), void *data)
{
	struct trace_array *tr = inode->i_private;
	int ret = tracing_check_open_get_tr(tr);

	if (ret)
		return ret;
	ret = single_open(file, show, data);
	if (ret)
		trace_array_put(tr);
	return ret;
}

static int release_single(struct inode *inode, struct file *file)
{
	trace_array_put(inode->i_private);
	return single_release(inode, file);
}

static int open_choice(struct inode *inode, struct file *file)
{
	return open_single(inode, file, show_choice, NULL);
}

static const struct file_operations choice_fops = {
	.open		= open_choice,
	.read		= seq_read,
	.write		= write_choice,
	.llseek		= seq_lseek,
	.release	= release_single,
};

static void show_about(void *data, const struct branch_backend *backend)
{
	seq_printf(data, "%s: %s\n", backend->name, backend->about);
}

static int show_backends(struct seq_file *m, void *unused)
{
	branch_backend_show(show_about, m);
	return 0;
}

static int open_backends(struct inode *inode, struct file *file)
{
	return open_single(inode, file, show_backends, NULL);
}

static const struct file_operations backends_fops = {
	.open		= open_backends,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= release_single,
};

/*
 * A program that writes PIDs through a buffer may cut a number in two at the buffer's end. Buffers
 * are at least so long, so a shorter write ends with a whole number.
 */
#define SHORTEST_BUFFER	1024

#define MAX_PID_TEXT	15

/**
 * struct task_writer - an open file task
 * @parser: the number that was cut, if one was
 * @instead: the first task replaces those before: the file was opened with O_TRUNC
 * @refused: a task was refused
 */
struct task_writer {
	struct trace_parser	parser;
	bool			instead;
	bool			refused;
};

static void show_task(void *data, struct task_struct *task)
{
	seq_printf(data, "%d\n", task_pid_vnr(task));
}

static int show_tasks(struct seq_file *m, void *unused)
{
	struct branch_instance *instance;

	guard(mutex)(&event_mutex);
	instance = instance_of(m->file);
	if (!instance)
		return -ENOMEM;
	if (instance->ctx)
		branch_ctx_tasks(instance->ctx, show_task, m);
	return 0;
}

static int take_task(struct file *file, const char *text, bool also,
		     struct branch_refusal *refusal)
{
	struct branch_instance *instance = instance_of(file);
	struct task_struct *task;
	pid_t pid;
	int ret;

	if (!instance) {
		refusal->why = "there is no memory";
		return -ENOMEM;
	}
	if (kstrtoint(text, 10, &pid) || pid <= 0) {
		refusal->why = "this is not a PID";
		return -EINVAL;
	}
	task = find_get_task_by_vpid(pid);
	if (!task) {
		refusal->why = "there is no task of this PID";
		return -ESRCH;
	}
	ret = branch_choose_task(instance, file->f_cred, task, also, refusal);
	put_task_struct(task);
	return ret;
}

/* Takes the PID that the parser has read */
static int take_parsed(struct file *file, struct task_writer *writer)
{
	struct trace_parser *parser = &writer->parser;
	struct refusal refusal = { };
	int ret;

	guard(mutex)(&event_mutex);
	ret = take_task(file, parser->buffer, !writer->instead, &refusal.of);
	if (ret) {
		writer->refused = true;
		log_refusal(file, parser->buffer, &refusal);
	} else {
		writer->instead = false;
	}
	trace_parser_clear(parser);
	return ret;
}

/* The parser has no room for so long a word. That is no number, but a part of it may be one. */
static int refuse_long(struct file *file, struct task_writer *writer)
{
	struct trace_parser *parser = &writer->parser;
	struct refusal refusal = { .of.why = "this is not a PID" };

	guard(mutex)(&event_mutex);
	parser->buffer[parser->idx] = '\0';
	log_refusal(file, parser->buffer, &refusal);
	writer->refused = true;
	parser->fail = false;
	trace_parser_clear(parser);
	return -EINVAL;
}

static struct task_writer *writer_of(struct file *file)
{
	return ((struct seq_file *)file->private_data)->private;
}

static bool is_whole(struct task_writer *writer, size_t count)
{
	return trace_parser_loaded(&writer->parser) &&
	       (!trace_parser_cont(&writer->parser) || count < SHORTEST_BUFFER);
}

/* Takes one PID at a time: those before one that is refused have been taken */
static ssize_t write_tasks(struct file *file, const char __user *ubuf, size_t count, loff_t *ppos)
{
	struct task_writer *writer = writer_of(file);
	size_t done = 0;
	ssize_t ret;

	while (done < count) {
		ret = trace_get_user(&writer->parser, ubuf + done, count - done, ppos);
		if (ret == -EINVAL)
			return refuse_long(file, writer);
		if (ret < 0)
			return ret;
		done += ret;
		if (is_whole(writer, count))
			ret = take_parsed(file, writer);
		if (ret < 0)
			return ret;
	}
	return count;
}

static int open_tasks(struct inode *inode, struct file *file)
{
	struct task_writer *writer = NULL;
	int ret;

	if (file->f_mode & FMODE_WRITE) {
		writer = kzalloc(sizeof(*writer), GFP_KERNEL);
		if (!writer || trace_parser_get_init(&writer->parser, MAX_PID_TEXT + 1)) {
			kfree(writer);
			return -ENOMEM;
		}
		writer->instead = file->f_flags & O_TRUNC;
	}
	ret = open_single(inode, file, show_tasks, writer);
	if (ret && writer) {
		trace_parser_put(&writer->parser);
		kfree(writer);
	}
	return ret;
}

/* The file was opened to replace the tasks, and none was written */
static void clear_tasks(struct file *file)
{
	struct branch_instance *instance;

	guard(mutex)(&event_mutex);
	instance = instance_of(file);
	if (instance && instance->ctx && instance->attr.subject == BRANCH_TASK)
		branch_choose_nothing(instance);
}

static int release_tasks(struct inode *inode, struct file *file)
{
	struct task_writer *writer = writer_of(file);

	if (writer) {
		if (trace_parser_loaded(&writer->parser))
			take_parsed(file, writer);
		if (writer->instead && !writer->refused)
			clear_tasks(file);
		trace_parser_put(&writer->parser);
		kfree(writer);
	}
	return release_single(inode, file);
}

static const struct file_operations tasks_fops = {
	.open		= open_tasks,
	.read		= seq_read,
	.write		= write_tasks,
	.llseek		= seq_lseek,
	.release	= release_tasks,
};

/**
 * branch_create_files() - create the directory branch/ of an instance
 * @tr: the instance
 * @dir: its directory
 *
 * Context: may sleep.
 */
void branch_create_files(struct trace_array *tr, struct dentry *dir)
{
	struct dentry *branch = tracefs_create_dir("branch", dir);
	unsigned int i;

	if (WARN_ON_ONCE(!branch))
		return;
	trace_create_file("backends", TRACE_MODE_READ, branch, tr, &backends_fops);
	trace_create_file("task", TRACE_MODE_WRITE, branch, tr, &tasks_fops);
	for (i = 0; i < ARRAY_SIZE(choices); i++)
		trace_create_file(choices[i].name, TRACE_MODE_WRITE, branch, tr, &choice_fops);
}
