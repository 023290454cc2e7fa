// SPDX-License-Identifier: GPL-2.0
/* What the last argument of quotactl() points to. */
#include <linux/init.h>
#include <linux/string.h>
#include <uapi/linux/dqblk_xfs.h>
#include <uapi/linux/quota.h>

#include "trace_syscalls_forms.h"
#include "trace_syscalls_quotactl.h"

#define UNSIGNED(_type, _member)	MEMBER(_type, _member, trace_syscall_unsigned)

static struct trace_syscall_member info_members[] __ro_after_init = {
	UNSIGNED(struct if_dqinfo, dqi_bgrace),
	UNSIGNED(struct if_dqinfo, dqi_igrace),
	NAMES(struct if_dqinfo, dqi_flags, "quota_info_flags"),
	NAMES(struct if_dqinfo, dqi_valid, "quota_info_valid"),
};

static struct trace_syscall_member limits_members[] __ro_after_init = {
	UNSIGNED(struct if_dqblk, dqb_bhardlimit),
	UNSIGNED(struct if_dqblk, dqb_bsoftlimit),
	UNSIGNED(struct if_dqblk, dqb_curspace),
	UNSIGNED(struct if_dqblk, dqb_ihardlimit),
	UNSIGNED(struct if_dqblk, dqb_isoftlimit),
	UNSIGNED(struct if_dqblk, dqb_curinodes),
};

static struct trace_syscall_member disk_members[] __ro_after_init = {
	MEMBER(struct fs_disk_quota, d_version, trace_syscall_signed),
	NAMES(struct fs_disk_quota, d_flags, "quota_kinds"),
	NAMES(struct fs_disk_quota, d_fieldmask, "quota_fields"),
	UNSIGNED(struct fs_disk_quota, d_id),
	UNSIGNED(struct fs_disk_quota, d_blk_hardlimit),
	UNSIGNED(struct fs_disk_quota, d_blk_softlimit),
	UNSIGNED(struct fs_disk_quota, d_ino_hardlimit),
	UNSIGNED(struct fs_disk_quota, d_ino_softlimit),
	UNSIGNED(struct fs_disk_quota, d_bcount),
	UNSIGNED(struct fs_disk_quota, d_icount),
};

/* Up to the last member that is shown, a structure is the same for all programs */
#define PART(_type, _members, _last, _more)					\
	{ .members = _members, .nr = ARRAY_SIZE(_members),			\
	  .size = offsetofend(_type, _last), .more = _more }

static const struct trace_syscall_layout layouts[] = {
	[QUOTA_INFO]	= PART(struct if_dqinfo, info_members, dqi_valid, false),
	[QUOTA_LIMITS]	= PART(struct if_dqblk, limits_members, dqb_curinodes, true),
	[QUOTA_DISK]	= PART(struct fs_disk_quota, disk_members, d_icount, true),
};

static const char *const number_families[] = {
	[QUOTA_FORMAT]		= "quota_format",
	[QUOTA_ACCOUNTING]	= "quota_accounting",
	[QUOTA_KINDS]		= "quota_kinds",
};

/* The structure of a command, or NULL */
static const struct trace_syscall_layout *layout_of(const struct trace_syscall_quota *quota)
{
	if (quota->object >= ARRAY_SIZE(layouts) || !layouts[quota->object].members)
		return NULL;
	return &layouts[quota->object];
}

/* The constants of a command's number, or NULL */
static const char *number_of(const struct trace_syscall_quota *quota)
{
	return quota->object < ARRAY_SIZE(number_families) ? number_families[quota->object] :
							     NULL;
}

/* The count of the rule is the command */
static void read_quota(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
		       unsigned long address, unsigned long count)
{
	const struct trace_syscall_quota *quota = trace_syscall_find_quota(count);
	const struct trace_syscall_layout *layout = layout_of(quota);

	if (quota->gives != !!(r->of & TRACE_SYSCALL_OUT))
		return;
	if (quota->object == QUOTA_PATH)
		trace_syscall_read_string(r, address);
	else if (layout)
		trace_syscall_read(r, address, layout->size);
	else if (number_of(quota))
		trace_syscall_read(r, address, sizeof(u32));
}

static bool print_layout(struct trace_syscall_printer *p,
			 const struct trace_syscall_layout *layout)
{
	const struct trace_syscall_piece *piece = trace_syscall_next(p);

	if (!piece || piece->head != layout->size)
		return false;
	trace_syscall_print_members(p->s, layout, piece->bytes);
	return true;
}

static bool print_quota(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			unsigned long address, unsigned long count)
{
	const struct trace_syscall_quota *quota = trace_syscall_find_quota(count);
	u32 number;

	if (quota->object == QUOTA_PATH)
		return trace_syscall_form_string.print(p, &trace_syscall_form_string, address, 0);
	if (layout_of(quota))
		return print_layout(p, layout_of(quota));
	if (!number_of(quota) || !trace_syscall_next_whole(p, &number, sizeof(number)))
		return false;
	trace_seq_putc(p->s, '[');
	trace_syscall_print_family(p->s, number_of(quota), number, sizeof(number));
	trace_seq_putc(p->s, ']');
	return true;
}

const struct trace_syscall_form trace_syscall_form_quota = {
	.read	= read_quota,
	.print	= print_quota,
};
