// SPDX-License-Identifier: GPL-2.0
/*
 * The image's signatures, when they are in the module ftrace_signatures.
 *
 * Such a table contains addresses of one image.  In any other image these are
 * addresses of other functions, or of none.  So the table contains the build ID
 * of its image, and is refused if that is not the running kernel's.
 */
#include <linux/buildid.h>
#include <linux/export.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <asm/sections.h>

#include "../trace_signature.h"
#include "signature.h"

static_assert(FTRACE_SIG_BUILD_ID_SIZE == BUILD_ID_SIZE_MAX);

/**
 * ftrace_sig_build_id - tell the build ID of the running kernel
 * @id: FTRACE_SIG_BUILD_ID_SIZE bytes, the last of which are 0 if it is shorter
 *
 * Context: any.
 * Return: false if it has none.
 */
bool ftrace_sig_build_id(u8 *id)
{
	memset(id, 0, FTRACE_SIG_BUILD_ID_SIZE);
	return !build_id_parse_buf(__start_notes, id,
				   __stop_notes - __start_notes);
}

static bool is_of_this_kernel(const struct ftrace_sig_apart *apart)
{
	u8 running[FTRACE_SIG_BUILD_ID_SIZE];

	if (!ftrace_sig_build_id(running)) {
		pr_err("ftrace: the signatures are of the kernel with build ID %*phN, but this one has none\n",
		       FTRACE_SIG_BUILD_ID_SIZE, apart->build_id);
		return false;
	}
	if (memcmp(running, apart->build_id, sizeof(running))) {
		pr_err("ftrace: the signatures are of the kernel with build ID %*phN, but this one has %*phN\n",
		       FTRACE_SIG_BUILD_ID_SIZE, apart->build_id,
		       FTRACE_SIG_BUILD_ID_SIZE, running);
		return false;
	}
	return true;
}

/* Neither a linker nor the module loader wrote these addresses: trust none. */
static const char *check_sites(const struct ftrace_sig_table *table)
{
	u32 i;

	if (!ftrace_sig_table_sorted(table))
		return "its call sites are not in order";

	for (i = 0; i < table->nr_sites; i++)
		if (!ftrace_sig_is_live(table, ftrace_sig_site(table, i)))
			return "a call site is outside of the kernel's text";
	return NULL;
}

static int refuse(const char *why)
{
	pr_err("ftrace: the signatures of the kernel are not used, because %s\n",
	       why);
	return -EINVAL;
}

/* Compare the build ID before the addresses: in another image any may be wrong. */
static int check_table(void *data, unsigned long size,
		       struct ftrace_sig_table *table)
{
	const char *why;

	why = ftrace_sig_apart_check(data, size, table);
	if (why)
		return refuse(why);
	if (!is_of_this_kernel(data + sizeof(struct ftrace_sig_header)))
		return -ENOEXEC;
	why = check_sites(table);
	return why ? refuse(why) : 0;
}

/**
 * ftrace_signatures_register - add the signatures of the image's functions
 * @data: a table apart, see linux/ftrace_signature_format.h; aligned to 8
 *	bytes, and neither changed nor freed before
 *	ftrace_signatures_unregister() has returned
 * @size: bytes at @data
 *
 * From now on calls are recorded with their arguments, if a tracer's option asks
 * for them.
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if the table is invalid, -ENOEXEC if it belongs to another
 * image, -EBUSY if there is one already, or -ENOMEM.  All errors but -ENOMEM are
 * explained in the kernel log.
 */
int ftrace_signatures_register(void *data, unsigned long size)
{
	struct ftrace_sig_table *table = kzalloc(sizeof(*table), GFP_KERNEL);
	int err;

	if (!table)
		return -ENOMEM;
	table->base = (unsigned long)_stext;
	ftrace_sig_set_image_ranges(table);
	err = check_table(data, size, table);
	if (!err) {
		err = ftrace_sig_image_publish(table);
		if (err)
			pr_err("ftrace: the signatures of the kernel are loaded already\n");
	}
	if (err)
		kfree(table);
	return err;
}
EXPORT_SYMBOL_GPL(ftrace_signatures_register);

/**
 * ftrace_signatures_unregister - remove the signatures of the image
 *
 * Only the caller of ftrace_signatures_register() may call this.  Tracing goes
 * on, without types.  When this returns, nobody uses the table any more.
 *
 * Context: may sleep.
 */
void ftrace_signatures_unregister(void)
{
	kfree(ftrace_sig_image_withdraw());
}
EXPORT_SYMBOL_GPL(ftrace_signatures_unregister);

/**
 * trace_sig_hint - tell the user which module to load for types
 *
 * Prints the hint once, and only if the image has no signatures.  It does not
 * load the module, because writers of options hold locks that loading takes.
 *
 * Context: any.
 */
void trace_sig_hint(void)
{
	if (!ftrace_sig_image_is_known())
		pr_info_once("ftrace: the kernel's functions are shown without types until the module ftrace_signatures is loaded\n");
}
