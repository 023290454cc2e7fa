// SPDX-License-Identifier: GPL-2.0
/*
 * The file "arg_limits": how much is copied and shown of what arguments point to.
 *
 * What is written is a list of "name=value", of which all or none take effect.
 */
#include <linux/ctype.h>
#include <linux/kstrtox.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "../trace.h"
#include "signature.h"

unsigned int ftrace_sig_max_string = 64;
unsigned int ftrace_sig_max_event = 1024;
unsigned int ftrace_sig_max_depth = 1;
unsigned int ftrace_sig_max_members = 8;

static const struct limit {
	const char	*name;
	unsigned int	*value;
	unsigned int	least;
	unsigned int	most;
} limits[] = {
	{ "string",	&ftrace_sig_max_string,	 1, FTRACE_SIG_STRING_MAX },
	{ "event",	&ftrace_sig_max_event,	 FTRACE_SIG_EVENT_MIN, FTRACE_SIG_EVENT_MAX },
	{ "depth",	&ftrace_sig_max_depth,	 0, 8 },
	{ "members",	&ftrace_sig_max_members, 1, 256 },
};

/* One writer at a time: the values of a list take effect together */
static DEFINE_MUTEX(limits_mutex);

enum {
	ERR_NO_LIMIT,
	ERR_NO_NUMBER,
	ERR_OUT_OF_RANGE,
};

static const char *messages[] = {
	[ERR_NO_LIMIT]	   = "There is no such limit: known are string=, event=, depth= and members=",
	[ERR_NO_NUMBER]	   = "The limit is no decimal number",
	[ERR_OUT_OF_RANGE] = "The limit is out of range: string=1..1024, event=64..2040, depth=0..8, members=1..256",
};

static int refuse(const char *text, const char *at, u8 error)
{
	tracing_log_err(NULL, "arg_limits", text, messages, error, at - text);
	return error == ERR_OUT_OF_RANGE ? -ERANGE : -EINVAL;
}

static int find_limit(const char *word)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		size_t len = strlen(limits[i].name);

		if (!strncmp(word, limits[i].name, len) && word[len] == '=')
			return i;
	}
	return -1;
}

/* @text: the whole list, for messages; @word: a copy of the word at @at in it */
static int parse_word(const char *text, const char *at, const char *word,
		      unsigned int *values)
{
	int nr = find_limit(word), err;
	unsigned int value;
	const char *number;

	if (nr < 0)
		return refuse(text, at, ERR_NO_LIMIT);
	number = word + strlen(limits[nr].name) + 1;
	err = isdigit(*number) ? kstrtouint(number, 10, &value) : -EINVAL;
	if (err == -ERANGE || (!err && (value < limits[nr].least || value > limits[nr].most)))
		return refuse(text, at, ERR_OUT_OF_RANGE);
	if (err)
		return refuse(text, at, ERR_NO_NUMBER);
	values[nr] = value;
	return 0;
}

static int parse(char *text, unsigned int *values)
{
	char *at = skip_spaces(text), word[32];
	int err;

	if (!*at)
		return refuse(text, at, ERR_NO_LIMIT);
	while (*at) {
		size_t len = strcspn(at, " \t\n");

		/* What is cut here is longer than any word that is accepted */
		strscpy(word, at, min(len + 1, sizeof(word)));
		err = parse_word(text, at, word, values);
		if (err)
			return err;
		at = skip_spaces(at + len);
	}
	return 0;
}

static ssize_t limits_write(struct file *file, const char __user *ubuf, size_t cnt,
			    loff_t *ppos)
{
	unsigned int values[ARRAY_SIZE(limits)], i;
	char *text;
	int err;

	if (cnt >= PAGE_SIZE)
		return -EINVAL;
	text = memdup_user_nul(ubuf, cnt);
	if (IS_ERR(text))
		return PTR_ERR(text);

	/* Without the newline, messages can show what was written */
	strim(text);
	mutex_lock(&limits_mutex);
	for (i = 0; i < ARRAY_SIZE(limits); i++)
		values[i] = *limits[i].value;
	err = parse(text, values);
	for (i = 0; !err && i < ARRAY_SIZE(limits); i++)
		WRITE_ONCE(*limits[i].value, values[i]);
	mutex_unlock(&limits_mutex);

	if (!err)
		ftrace_sig_follow_limits();
	kfree(text);
	if (err)
		return err;
	*ppos += cnt;
	return cnt;
}

static ssize_t limits_read(struct file *file, char __user *ubuf, size_t cnt, loff_t *ppos)
{
	char text[ARRAY_SIZE(limits) * 24];
	unsigned int i, len = 0;

	for (i = 0; i < ARRAY_SIZE(limits); i++)
		len += scnprintf(text + len, sizeof(text) - len, "%s=%u%c", limits[i].name,
				 READ_ONCE(*limits[i].value),
				 i + 1 < ARRAY_SIZE(limits) ? ' ' : '\n');
	return simple_read_from_buffer(ubuf, cnt, ppos, text, len);
}

static const struct file_operations limits_fops = {
	.open	= tracing_open_generic,
	.llseek	= generic_file_llseek,
	.read	= limits_read,
	.write	= limits_write,
};

static __init int limits_create_file(void)
{
	if (!tracing_init_dentry())
		trace_create_file("arg_limits", TRACE_MODE_WRITE, NULL, NULL, &limits_fops);
	return 0;
}
fs_initcall(limits_create_file);
