// SPDX-License-Identifier: GPL-2.0
/*
 * Structures that tell a syscall what is wanted, and may grow: of performance events, mounts,
 * futexes and Landlock; and those of cachestat(). They are the same for all programs.
 */
#include <linux/init.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <uapi/linux/futex.h>
#include <uapi/linux/landlock.h>
#include <uapi/linux/mman.h>
#include <uapi/linux/mount.h>
#include <uapi/linux/perf_event.h>

#include "trace_syscalls_forms.h"

/* Performance events: only the first members are shown, as strace does */

#define PERF_SHOWN	offsetof(struct perf_event_attr, wakeup_events)

/* The bits behind read_format in their order; precise_ip has two */
static const char *const perf_bits[] = {
	"disabled", "inherit", "pinned", "exclusive", "exclude_user", "exclude_kernel",
	"exclude_hv", "exclude_idle", "mmap", "comm", "freq", "inherit_stat", "enable_on_exec",
	"task", "watermark", "precise_ip", NULL, "mmap_data", "sample_id_all", "exclude_host",
	"exclude_guest", "exclude_callchain_kernel", "exclude_callchain_user", "mmap2",
	"comm_exec", "use_clockid", "context_switch", "write_backward", "namespaces", "ksymbol",
	"bpf_event", "aux_output", "cgroup", "text_poke", "build_id", "inherit_thread",
	"remove_on_exec", "sigtrap",
};

#define PRECISE_IP	15

/* The kernel looks at the size first; 0 is that of the first version */
static void read_perf(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
		      unsigned long address, unsigned long count)
{
	unsigned long at = address + offsetof(struct perf_event_attr, size);
	u32 size;

	if (!trace_syscall_try(r, &size, at, sizeof(size)))
		trace_syscall_put_flag(r, TRACE_SYSCALL_PIECE_UNKNOWN);
	else if (!size || (size >= PERF_ATTR_SIZE_VER0 && size <= PAGE_SIZE))
		trace_syscall_read(r, address, PERF_SHOWN);
}

static void print_shifted(struct trace_seq *s, const char *family, u64 bits, unsigned int size,
			  unsigned int shift)
{
	trace_syscall_print_family(s, family, bits >> shift & GENMASK_ULL(size * 8 - 1, 0), size);
	if (shift)
		trace_seq_printf(s, "<<%u|", shift);
}

/* The upper half may be the number of a PMU */
static void print_hardware(struct trace_seq *s, u64 config)
{
	if (config >> PERF_PMU_TYPE_SHIFT)
		trace_seq_printf(s, "%#llx<<%u|", config >> PERF_PMU_TYPE_SHIFT,
				 PERF_PMU_TYPE_SHIFT);
	print_shifted(s, "perf_hardware", config, sizeof(u32), 0);
}

static void print_cache(struct trace_seq *s, u64 config)
{
	if (config >> 24)
		trace_seq_printf(s, "%#llx<<24|", config >> 24);
	print_shifted(s, "perf_cache_result", config, sizeof(u8), 16);
	print_shifted(s, "perf_cache_op", config, sizeof(u8), 8);
	print_shifted(s, "perf_cache", config, sizeof(u8), 0);
}

static void print_config(struct trace_seq *s, u32 type, u64 config)
{
	if (type == PERF_TYPE_HARDWARE)
		print_hardware(s, config);
	else if (type == PERF_TYPE_HW_CACHE)
		print_cache(s, config);
	else if (type == PERF_TYPE_SOFTWARE)
		trace_syscall_print_family(s, "perf_software", config, sizeof(config));
	else if (type == PERF_TYPE_TRACEPOINT || !config)
		trace_seq_printf(s, "%llu", config);
	else
		trace_seq_printf(s, "%#llx", config);
}

/* Those that are set; how precise the address is to be always */
static void print_perf_bits(struct trace_seq *s, u64 bits)
{
	static const char *const skids[] = {
		"arbitrary skid", "constant skid", "requested to have 0 skid",
		"must have 0 skid",
	};
	unsigned int i, precise = bits >> PRECISE_IP & 3;

	for (i = 0; i < ARRAY_SIZE(perf_bits); i++) {
		if (i == PRECISE_IP)
			trace_seq_printf(s, ", precise_ip=%u /* %s */", precise, skids[precise]);
		else if (perf_bits[i] && bits & BIT_ULL(i))
			trace_seq_printf(s, ", %s=1", perf_bits[i]);
	}
	if (bits >> ARRAY_SIZE(perf_bits))
		trace_seq_printf(s, ", __reserved_1=%#llx", bits >> ARRAY_SIZE(perf_bits));
}

static bool print_perf(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
		       unsigned long address, unsigned long count)
{
	const struct trace_syscall_piece *piece = trace_syscall_next(p);
	struct perf_event_attr attr;
	u64 bits;

	if (!piece || piece->head != PERF_SHOWN)
		return false;
	memcpy(&attr, piece->bytes, PERF_SHOWN);
	memcpy(&bits, piece->bytes + PERF_SHOWN - sizeof(bits), sizeof(bits));
	trace_seq_puts(p->s, "{type=");
	trace_syscall_print_family(p->s, "perf_type", attr.type, sizeof(attr.type));
	trace_seq_puts(p->s, ", size=");
	trace_syscall_print_family(p->s, "perf_size", attr.size, sizeof(attr.size));
	trace_seq_puts(p->s, ", config=");
	print_config(p->s, attr.type, attr.config);
	trace_seq_printf(p->s, ", sample_%s=%llu, sample_type=", attr.freq ? "freq" : "period",
			 attr.sample_period);
	trace_syscall_print_family(p->s, "perf_sample", attr.sample_type,
				   sizeof(attr.sample_type));
	trace_seq_puts(p->s, ", read_format=");
	trace_syscall_print_family(p->s, "perf_format", attr.read_format,
				   sizeof(attr.read_format));
	print_perf_bits(p->s, bits);
	trace_seq_puts(p->s, ", ...}");
	return true;
}

const struct trace_syscall_form trace_syscall_form_perf_attr = {
	.read	= read_perf,
	.print	= print_perf,
};

/*
 * Structures whose size is an argument: @least is that of the first version, with less the
 * call fails before it reads any, and with more than a page, too. What is behind the known
 * members is shown as dots if it is not zero.
 */

#define MOST_BEHIND	64

struct room {
	u8	bytes[sizeof(struct mount_attr) + MOST_BEHIND];
};

static void read_grown(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
		       unsigned long address, unsigned long size, unsigned int least)
{
	if (size >= least && size <= PAGE_SIZE)
		trace_syscall_read(r, address,
				   min_t(unsigned long, size, form->native.size + MOST_BEHIND));
}

static bool print_grown(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			unsigned long address, unsigned long size)
{
	const struct trace_syscall_piece *piece = trace_syscall_next(p);
	struct trace_syscall_layout shown = form->native;
	struct room room = {};

	if (!piece || !piece->head || piece->head > shown.size + MOST_BEHIND ||
	    piece->head > sizeof(room))
		return false;
	memcpy(room.bytes, piece->bytes, piece->head);
	shown.more = size > piece->head ||
		     memchr_inv(room.bytes + shown.size, 0, sizeof(room) - shown.size);
	trace_syscall_print_some(p, &shown, room.bytes, piece->head);
	return true;
}

/* Mounts */

static struct trace_syscall_member mount_members[] __ro_after_init = {
	NAMES(struct mount_attr, attr_set, "mount_attr"),
	NAMES(struct mount_attr, attr_clr, "mount_attr"),
	NAMES(struct mount_attr, propagation, "mount_propagation"),
	MEMBER(struct mount_attr, userns_fd, trace_syscall_unsigned),
};

static void read_mount(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
		       unsigned long address, unsigned long count)
{
	read_grown(r, form, address, count, MOUNT_ATTR_SIZE_VER0);
}

const struct trace_syscall_form trace_syscall_form_mount_attr = {
	.read	= read_mount,
	.print	= print_grown,
	.native	= LAYOUT(struct mount_attr, mount_members),
	COMPAT_LAYOUT(struct mount_attr, mount_members)
};

/* Landlock */

static struct trace_syscall_member ruleset_members[] __ro_after_init = {
	NAMES(struct landlock_ruleset_attr, handled_access_fs, "landlock_fs"),
	MEMBER(struct landlock_ruleset_attr, handled_access_net, trace_syscall_names,
	       .family = "landlock_net", SINCE(struct landlock_ruleset_attr, handled_access_net)),
	MEMBER(struct landlock_ruleset_attr, scoped, trace_syscall_names,
	       .family = "landlock_scope", SINCE(struct landlock_ruleset_attr, scoped)),
};

static void read_ruleset(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	read_grown(r, form, address, count,
		   sizeof_field(struct landlock_ruleset_attr, handled_access_fs));
}

const struct trace_syscall_form trace_syscall_form_landlock_ruleset = {
	.read	= read_ruleset,
	.print	= print_grown,
	.native	= LAYOUT(struct landlock_ruleset_attr, ruleset_members),
	COMPAT_LAYOUT(struct landlock_ruleset_attr, ruleset_members)
};

static struct trace_syscall_member beneath_members[] __ro_after_init = {
	NAMES(struct landlock_path_beneath_attr, allowed_access, "landlock_fs"),
	MEMBER(struct landlock_path_beneath_attr, parent_fd, trace_syscall_signed),
};

static struct trace_syscall_member port_members[] __ro_after_init = {
	NAMES(struct landlock_net_port_attr, allowed_access, "landlock_net"),
	MEMBER(struct landlock_net_port_attr, port, trace_syscall_unsigned),
};

static const struct trace_syscall_form beneath = {
	STRUCT_FORM,
	.native	= LAYOUT(struct landlock_path_beneath_attr, beneath_members),
	COMPAT_LAYOUT(struct landlock_path_beneath_attr, beneath_members)
};

static const struct trace_syscall_form port = {
	STRUCT_FORM,
	.native	= LAYOUT(struct landlock_net_port_attr, port_members),
	COMPAT_LAYOUT(struct landlock_net_port_attr, port_members)
};

/* A rule is told by its type, which is the argument before it */
static const struct trace_syscall_form *form_of_rule(unsigned long type)
{
	switch ((u32)type) {
	case LANDLOCK_RULE_PATH_BENEATH:
		return &beneath;
	case LANDLOCK_RULE_NET_PORT:
		return &port;
	default:
		return NULL;
	}
}

static void read_rule(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
		      unsigned long address, unsigned long count)
{
	form = form_of_rule(count);
	if (form)
		trace_syscall_read_struct(r, form, address, 0);
}

static bool print_rule(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
		       unsigned long address, unsigned long count)
{
	form = form_of_rule(count);
	return form && trace_syscall_print_struct(p, form, address, 0);
}

const struct trace_syscall_form trace_syscall_form_landlock_rule = {
	.read	= read_rule,
	.print	= print_rule,
};

/* Several futexes to wait for */

static struct trace_syscall_member futex_members[] __ro_after_init = {
	MEMBER(struct futex_waitv, val, trace_syscall_hex),
	MEMBER(struct futex_waitv, uaddr, trace_syscall_address),
	NAMES(struct futex_waitv, flags, "futex_flags"),
	MEMBER(struct futex_waitv, __reserved, trace_syscall_hex, IF_SET),
};

/* With none, or with too many, the call fails before it reads any */
static void read_futexes(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	u32 nr = count;

	if (nr && nr <= FUTEX_WAITV_MAX)
		trace_syscall_read_array(r, form, address, nr);
}

const struct trace_syscall_form trace_syscall_form_futex_waitv = {
	.read	= read_futexes,
	.print	= trace_syscall_print_array,
	.native	= LAYOUT(struct futex_waitv, futex_members),
	COMPAT_LAYOUT(struct futex_waitv, futex_members)
};

/* What of a file is in memory */

static struct trace_syscall_member cachestat_range_members[] __ro_after_init = {
	MEMBER(struct cachestat_range, off, trace_syscall_unsigned),
	MEMBER(struct cachestat_range, len, trace_syscall_unsigned),
};

const struct trace_syscall_form trace_syscall_form_cachestat_range = {
	STRUCT_FORM,
	.native	= LAYOUT(struct cachestat_range, cachestat_range_members),
	COMPAT_LAYOUT(struct cachestat_range, cachestat_range_members)
};

static struct trace_syscall_member cachestat_members[] __ro_after_init = {
	MEMBER(struct cachestat, nr_cache, trace_syscall_unsigned),
	MEMBER(struct cachestat, nr_dirty, trace_syscall_unsigned),
	MEMBER(struct cachestat, nr_writeback, trace_syscall_unsigned),
	MEMBER(struct cachestat, nr_evicted, trace_syscall_unsigned),
	MEMBER(struct cachestat, nr_recently_evicted, trace_syscall_unsigned),
};

const struct trace_syscall_form trace_syscall_form_cachestat = {
	.type	= "struct cachestat",
	STRUCT_FORM,
	.native	= LAYOUT(struct cachestat, cachestat_members),
	COMPAT_LAYOUT(struct cachestat, cachestat_members)
};
