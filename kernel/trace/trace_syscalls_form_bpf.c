// SPDX-License-Identifier: GPL-2.0
/*
 * bpf(): one union, of which the command tells what it is. A program tells how much of it
 * there is; what it leaves out is zero to the kernel, and so it is here. Members that are
 * newer than most programs are shown if they are not zero.
 */
#include <linux/init.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <uapi/linux/bpf.h>

#include "trace_syscalls_forms.h"

/* The kernel reads no more of a license or of the name of a tracepoint */
#define MOST_OF_A_NAME	127

static trace_syscall_print_in print_name, print_path, print_btf;
static trace_syscall_print_in print_next_id, print_info_len;

#define OF(_member, _print, ...)	MEMBER(union bpf_attr, _member, _print, ##__VA_ARGS__)
#define UNSIGNED(_member, ...)		OF(_member, trace_syscall_unsigned, ##__VA_ARGS__)
#define SIGNED(_member, ...)		OF(_member, trace_syscall_signed, ##__VA_ARGS__)
#define ADDRESS(_member, ...)		OF(_member, trace_syscall_address, ##__VA_ARGS__)
#define NAMED(_member, _family, ...)						\
	OF(_member, trace_syscall_names, .family = _family, ##__VA_ARGS__)
#define PRINTED(_member, _print_in, ...)						\
	OF(_member, NULL, .print_in = _print_in, ##__VA_ARGS__)
#define IF_LONG(_member)		SINCE(union bpf_attr, _member)

/* A structure of its own within the union, which strace shows as that */
#define WITHIN(_type, _member, _print, ...)					\
	MEMBER(typeof_member(union bpf_attr, _type), _member, _print, ##__VA_ARGS__)
#define WITHIN_NAMED(_type, _member, _family, ...)				\
	WITHIN(_type, _member, trace_syscall_names, .family = _family, ##__VA_ARGS__)
#define WITHIN_SINCE(_type, _member)						\
	SINCE(typeof_member(union bpf_attr, _type), _member)

static void print_version(struct trace_seq *s, const struct trace_syscall_member *m, u64 bits)
{
	trace_seq_printf(s, "KERNEL_VERSION(%llu, %llu, %llu)", bits >> 16, bits >> 8 & 0xff,
			 bits & 0xff);
}

static struct trace_syscall_member map_create[] __ro_after_init = {
	NAMED(map_type, "bpf_map_type"),
	UNSIGNED(key_size),
	UNSIGNED(value_size),
	UNSIGNED(max_entries),
	NAMED(map_flags, "bpf_map_flags", IF_LONG(map_flags)),
	SIGNED(inner_map_fd, IF_LONG(inner_map_fd)),
	UNSIGNED(numa_node, IF_FLAG(union bpf_attr, map_flags, BPF_F_NUMA_NODE)),
	PRINTED(map_name, trace_syscall_chars, IF_LONG(map_name)),
	UNSIGNED(map_ifindex, IF_LONG(map_ifindex)),
	SIGNED(btf_fd, IF_LONG(btf_fd)),
	UNSIGNED(btf_key_type_id, IF_LONG(btf_fd)),
	UNSIGNED(btf_value_type_id, IF_LONG(btf_fd)),
	UNSIGNED(btf_vmlinux_value_type_id, IF_LONG(btf_vmlinux_value_type_id)),
	UNSIGNED(map_extra, IF_LONG(map_extra)),
	SIGNED(value_type_btf_obj_fd, IF_SET),
	SIGNED(map_token_fd, IF_SET),
};

static struct trace_syscall_member map_lookup[] __ro_after_init = {
	SIGNED(map_fd),
	ADDRESS(key),
	ADDRESS(value),
	NAMED(flags, "bpf_elem_flags", IF_LONG(flags)),
};

static struct trace_syscall_member map_update[] __ro_after_init = {
	SIGNED(map_fd),
	ADDRESS(key),
	ADDRESS(value),
	NAMED(flags, "bpf_elem_flags"),
};

static struct trace_syscall_member map_delete[] __ro_after_init = {
	SIGNED(map_fd),
	ADDRESS(key),
};

static struct trace_syscall_member map_next_key[] __ro_after_init = {
	SIGNED(map_fd),
	ADDRESS(key),
	ADDRESS(next_key),
};

static struct trace_syscall_member map_freeze[] __ro_after_init = {
	SIGNED(map_fd),
};

/* What the log has before the call is not the call's, and afterwards it may be long */
static struct trace_syscall_member prog_load[] __ro_after_init = {
	NAMED(prog_type, "bpf_prog_type"),
	UNSIGNED(insn_cnt),
	ADDRESS(insns),
	PRINTED(license, print_name),
	UNSIGNED(log_level, IF_LONG(log_level)),
	UNSIGNED(log_size, IF_LONG(log_level)),
	ADDRESS(log_buf, IF_LONG(log_level)),
	OF(kern_version, print_version, IF_LONG(kern_version)),
	NAMED(prog_flags, "bpf_prog_flags", IF_LONG(prog_flags)),
	PRINTED(prog_name, trace_syscall_chars, IF_LONG(prog_name)),
	UNSIGNED(prog_ifindex, IF_LONG(prog_ifindex)),
	NAMED(expected_attach_type, "bpf_attach_type", IF_LONG(expected_attach_type)),
	SIGNED(prog_btf_fd, IF_LONG(prog_btf_fd)),
	UNSIGNED(func_info_rec_size, IF_LONG(prog_btf_fd)),
	ADDRESS(func_info, IF_LONG(prog_btf_fd)),
	UNSIGNED(func_info_cnt, IF_LONG(prog_btf_fd)),
	UNSIGNED(line_info_rec_size, IF_LONG(prog_btf_fd)),
	ADDRESS(line_info, IF_LONG(prog_btf_fd)),
	UNSIGNED(line_info_cnt, IF_LONG(prog_btf_fd)),
	UNSIGNED(attach_btf_id, IF_LONG(attach_btf_id)),
	SIGNED(attach_prog_fd, IF_LONG(attach_prog_fd)),
	UNSIGNED(core_relo_cnt, IF_SET),
	ADDRESS(fd_array, IF_LONG(fd_array)),
	ADDRESS(core_relos, IF_SET),
	UNSIGNED(core_relo_rec_size, IF_SET),
	UNSIGNED(log_true_size, IF_SET),
	SIGNED(prog_token_fd, IF_SET),
};

static struct trace_syscall_member obj[] __ro_after_init = {
	PRINTED(pathname, print_path),
	SIGNED(bpf_fd),
	NAMED(file_flags, "bpf_file_flags", IF_LONG(file_flags)),
	SIGNED(path_fd, IF_SET),
};

static struct trace_syscall_member prog_attach[] __ro_after_init = {
	SIGNED(target_fd),
	SIGNED(attach_bpf_fd),
	NAMED(attach_type, "bpf_attach_type"),
	NAMED(attach_flags, "bpf_attach_flags"),
	SIGNED(replace_bpf_fd, IF_LONG(replace_bpf_fd)),
	SIGNED(relative_fd, IF_SET),
	UNSIGNED(expected_revision, IF_SET),
};

static struct trace_syscall_member prog_detach[] __ro_after_init = {
	SIGNED(target_fd),
	SIGNED(attach_bpf_fd, IF_SET),
	NAMED(attach_type, "bpf_attach_type"),
};

static struct trace_syscall_member test_members[] __ro_after_init = {
	WITHIN(test, prog_fd, trace_syscall_signed),
	WITHIN(test, retval, trace_syscall_unsigned),
	WITHIN(test, data_size_in, trace_syscall_unsigned),
	WITHIN(test, data_size_out, trace_syscall_unsigned),
	WITHIN(test, data_in, trace_syscall_address),
	WITHIN(test, data_out, trace_syscall_address),
	WITHIN(test, repeat, trace_syscall_unsigned),
	WITHIN(test, duration, trace_syscall_unsigned),
	WITHIN(test, ctx_size_in, trace_syscall_unsigned, WITHIN_SINCE(test, ctx_size_in)),
	WITHIN(test, ctx_size_out, trace_syscall_unsigned, WITHIN_SINCE(test, ctx_size_in)),
	WITHIN(test, ctx_in, trace_syscall_address, WITHIN_SINCE(test, ctx_size_in)),
	WITHIN(test, ctx_out, trace_syscall_address, WITHIN_SINCE(test, ctx_size_in)),
	WITHIN_NAMED(test, flags, "bpf_test_flags", WITHIN_SINCE(test, flags)),
	WITHIN(test, cpu, trace_syscall_unsigned, WITHIN_SINCE(test, flags)),
	WITHIN(test, batch_size, trace_syscall_unsigned, WITHIN_SINCE(test, batch_size)),
	{}
};

static struct trace_syscall_member prog_test[] __ro_after_init = {
	INSIDE(union bpf_attr, test, test_members),
};

static struct trace_syscall_member next_id[] __ro_after_init = {
	UNSIGNED(start_id),
	PRINTED(next_id, print_next_id),
	NAMED(open_flags, "bpf_file_flags", IF_LONG(open_flags)),
};

#define MEMBERS_BY_ID(_member)							\
{										\
	UNSIGNED(_member),							\
	UNSIGNED(next_id),							\
	NAMED(open_flags, "bpf_file_flags", IF_LONG(open_flags)),		\
}

static struct trace_syscall_member prog_by_id[] __ro_after_init = MEMBERS_BY_ID(prog_id);
static struct trace_syscall_member map_by_id[] __ro_after_init = MEMBERS_BY_ID(map_id);

static struct trace_syscall_member btf_by_id[] __ro_after_init = {
	UNSIGNED(btf_id),
};

static struct trace_syscall_member link_by_id[] __ro_after_init = {
	UNSIGNED(link_id),
};

static struct trace_syscall_member info_members[] __ro_after_init = {
	WITHIN(info, bpf_fd, trace_syscall_signed),
	WITHIN(info, info_len, NULL, .print_in = print_info_len),
	WITHIN(info, info, trace_syscall_address),
	{}
};

static struct trace_syscall_member obj_info[] __ro_after_init = {
	INSIDE(union bpf_attr, info, info_members),
};

static struct trace_syscall_member query_members[] __ro_after_init = {
	WITHIN(query, target_fd, trace_syscall_signed),
	WITHIN_NAMED(query, attach_type, "bpf_attach_type"),
	WITHIN_NAMED(query, query_flags, "bpf_query_flags"),
	WITHIN_NAMED(query, attach_flags, "bpf_attach_flags"),
	WITHIN(query, prog_ids, trace_syscall_address),
	WITHIN(query, prog_cnt, trace_syscall_unsigned),
	WITHIN(query, prog_attach_flags, trace_syscall_address, IF_SET),
	WITHIN(query, link_ids, trace_syscall_address, IF_SET),
	WITHIN(query, link_attach_flags, trace_syscall_address, IF_SET),
	WITHIN(query, revision, trace_syscall_unsigned, IF_SET),
	{}
};

static struct trace_syscall_member prog_query[] __ro_after_init = {
	INSIDE(union bpf_attr, query, query_members),
};

static struct trace_syscall_member tracepoint_members[] __ro_after_init = {
	WITHIN(raw_tracepoint, name, NULL, .print_in = print_name),
	WITHIN(raw_tracepoint, prog_fd, trace_syscall_signed),
	WITHIN(raw_tracepoint, cookie, trace_syscall_hex, IF_SET),
	{}
};

static struct trace_syscall_member raw_tracepoint[] __ro_after_init = {
	INSIDE(union bpf_attr, raw_tracepoint, tracepoint_members),
};

static struct trace_syscall_member btf_load[] __ro_after_init = {
	PRINTED(btf, print_btf),
	ADDRESS(btf_log_buf),
	UNSIGNED(btf_size),
	UNSIGNED(btf_log_size),
	UNSIGNED(btf_log_level),
	UNSIGNED(btf_log_true_size, IF_SET),
	NAMED(btf_flags, "bpf_file_flags", IF_SET),
	SIGNED(btf_token_fd, IF_SET),
};

static struct trace_syscall_member task_fd_members[] __ro_after_init = {
	WITHIN(task_fd_query, pid, trace_syscall_signed),
	WITHIN(task_fd_query, fd, trace_syscall_signed),
	WITHIN(task_fd_query, flags, trace_syscall_hex),
	WITHIN(task_fd_query, buf_len, trace_syscall_unsigned),
	WITHIN(task_fd_query, buf, trace_syscall_address),
	{}
};

static struct trace_syscall_member task_fd_query[] __ro_after_init = {
	INSIDE(union bpf_attr, task_fd_query, task_fd_members),
};

#define BATCH(_member)		WITHIN(batch, _member, trace_syscall_address)
#define MEMBERS_BATCH(...)							\
{										\
	__VA_ARGS__,								\
	WITHIN(batch, count, trace_syscall_unsigned),				\
	WITHIN(batch, map_fd, trace_syscall_signed),				\
	WITHIN_NAMED(batch, elem_flags, "bpf_elem_flags"),			\
	WITHIN(batch, flags, trace_syscall_hex),				\
	{}									\
}

static struct trace_syscall_member lookup_batch_members[] __ro_after_init =
	MEMBERS_BATCH(BATCH(in_batch), BATCH(out_batch), BATCH(keys), BATCH(values));
static struct trace_syscall_member update_batch_members[] __ro_after_init =
	MEMBERS_BATCH(BATCH(keys), BATCH(values));
static struct trace_syscall_member delete_batch_members[] __ro_after_init =
	MEMBERS_BATCH(BATCH(keys));

static struct trace_syscall_member lookup_batch[] __ro_after_init = {
	INSIDE(union bpf_attr, batch, lookup_batch_members),
};

static struct trace_syscall_member update_batch[] __ro_after_init = {
	INSIDE(union bpf_attr, batch, update_batch_members),
};

static struct trace_syscall_member delete_batch[] __ro_after_init = {
	INSIDE(union bpf_attr, batch, delete_batch_members),
};

/* Links: the type of the attachment says what is behind the flags */

#define MEMBERS_LINK(...)							\
{										\
	WITHIN(link_create, prog_fd, trace_syscall_signed),			\
	WITHIN(link_create, target_fd, trace_syscall_signed),			\
	WITHIN_NAMED(link_create, attach_type, "bpf_attach_type"),		\
	WITHIN_NAMED(link_create, flags, "bpf_attach_flags"),			\
	__VA_ARGS__								\
}

static struct trace_syscall_member link_members[] __ro_after_init = MEMBERS_LINK({});

static struct trace_syscall_member link_iter_members[] __ro_after_init =
	MEMBERS_LINK(WITHIN(link_create, iter_info, trace_syscall_address),
		     WITHIN(link_create, iter_info_len, trace_syscall_unsigned), {});

static struct trace_syscall_member perf_event_members[] __ro_after_init = {
	WITHIN(link_create.perf_event, bpf_cookie, trace_syscall_hex),
	{}
};

static struct trace_syscall_member link_perf_members[] __ro_after_init =
	MEMBERS_LINK(INSIDE(typeof_member(union bpf_attr, link_create), perf_event,
			    perf_event_members), {});

static struct trace_syscall_member kprobe_multi_members[] __ro_after_init = {
	WITHIN_NAMED(link_create.kprobe_multi, flags, "bpf_kprobe_multi"),
	WITHIN(link_create.kprobe_multi, cnt, trace_syscall_unsigned),
	WITHIN(link_create.kprobe_multi, syms, trace_syscall_address),
	WITHIN(link_create.kprobe_multi, addrs, trace_syscall_address),
	WITHIN(link_create.kprobe_multi, cookies, trace_syscall_address),
	{}
};

static struct trace_syscall_member link_kprobe_members[] __ro_after_init =
	MEMBERS_LINK(INSIDE(typeof_member(union bpf_attr, link_create), kprobe_multi,
			    kprobe_multi_members), {});

#define LINK(_name)								\
static struct trace_syscall_member link_create_##_name[] __ro_after_init = {	\
	{ .label = "link_create", .of = link_##_name##members,			\
	  .size = sizeof_field(union bpf_attr, link_create) },			\
}

LINK();
LINK(iter_);
LINK(perf_);
LINK(kprobe_);

static struct trace_syscall_member link_update_members[] __ro_after_init = {
	WITHIN(link_update, link_fd, trace_syscall_signed),
	WITHIN(link_update, new_prog_fd, trace_syscall_signed),
	WITHIN_NAMED(link_update, flags, "bpf_attach_flags"),
	WITHIN(link_update, old_prog_fd, trace_syscall_signed,
	       IF_FLAG(typeof_member(union bpf_attr, link_update), flags, BPF_F_REPLACE)),
	{}
};

static struct trace_syscall_member link_update[] __ro_after_init = {
	INSIDE(union bpf_attr, link_update, link_update_members),
};

/* A command, and where what it knows of the union ends */
#define ANY_TYPE	-1

static const struct command {
	u8				cmd;
	s8				attach_type;
	u8				nr;
	u8				end;
	struct trace_syscall_member	*members;
} commands[] = {
#define COMMAND_OF(_cmd, _attach_type, _members, _last)				\
	{ .cmd = _cmd, .attach_type = _attach_type, .members = _members,		\
	  .nr = ARRAY_SIZE(_members), .end = offsetofend(union bpf_attr, _last) }
#define COMMAND(_cmd, _members, _last)	COMMAND_OF(_cmd, ANY_TYPE, _members, _last)
	COMMAND(BPF_MAP_CREATE, map_create, map_token_fd),
	COMMAND(BPF_MAP_LOOKUP_ELEM, map_lookup, flags),
	COMMAND(BPF_MAP_UPDATE_ELEM, map_update, flags),
	COMMAND(BPF_MAP_DELETE_ELEM, map_delete, key),
	COMMAND(BPF_MAP_GET_NEXT_KEY, map_next_key, next_key),
	COMMAND(BPF_MAP_LOOKUP_AND_DELETE_ELEM, map_lookup, flags),
	COMMAND(BPF_MAP_FREEZE, map_freeze, map_fd),
	COMMAND(BPF_PROG_LOAD, prog_load, prog_token_fd),
	COMMAND(BPF_OBJ_PIN, obj, path_fd),
	COMMAND(BPF_OBJ_GET, obj, path_fd),
	COMMAND(BPF_PROG_ATTACH, prog_attach, expected_revision),
	COMMAND(BPF_PROG_DETACH, prog_detach, attach_type),
	COMMAND(BPF_PROG_TEST_RUN, prog_test, test.batch_size),
	COMMAND(BPF_PROG_GET_NEXT_ID, next_id, open_flags),
	COMMAND(BPF_MAP_GET_NEXT_ID, next_id, open_flags),
	COMMAND(BPF_BTF_GET_NEXT_ID, next_id, open_flags),
	COMMAND(BPF_LINK_GET_NEXT_ID, next_id, open_flags),
	COMMAND(BPF_PROG_GET_FD_BY_ID, prog_by_id, open_flags),
	COMMAND(BPF_MAP_GET_FD_BY_ID, map_by_id, open_flags),
	COMMAND(BPF_BTF_GET_FD_BY_ID, btf_by_id, btf_id),
	COMMAND(BPF_LINK_GET_FD_BY_ID, link_by_id, link_id),
	COMMAND(BPF_OBJ_GET_INFO_BY_FD, obj_info, info),
	COMMAND(BPF_PROG_QUERY, prog_query, query),
	COMMAND(BPF_RAW_TRACEPOINT_OPEN, raw_tracepoint, raw_tracepoint),
	COMMAND(BPF_BTF_LOAD, btf_load, btf_token_fd),
	COMMAND(BPF_TASK_FD_QUERY, task_fd_query, task_fd_query.buf),
	COMMAND(BPF_MAP_LOOKUP_BATCH, lookup_batch, batch),
	COMMAND(BPF_MAP_LOOKUP_AND_DELETE_BATCH, lookup_batch, batch),
	COMMAND(BPF_MAP_UPDATE_BATCH, update_batch, batch),
	COMMAND(BPF_MAP_DELETE_BATCH, delete_batch, batch),
	COMMAND_OF(BPF_LINK_CREATE, BPF_TRACE_ITER, link_create_iter_,
		   link_create.iter_info_len),
	COMMAND_OF(BPF_LINK_CREATE, BPF_PERF_EVENT, link_create_perf_, link_create.perf_event),
	COMMAND_OF(BPF_LINK_CREATE, BPF_TRACE_KPROBE_MULTI, link_create_kprobe_,
		   link_create.kprobe_multi),
	COMMAND(BPF_LINK_CREATE, link_create_, link_create.flags),
	COMMAND(BPF_LINK_UPDATE, link_update, link_update.old_prog_fd),
};

static const struct command *find_command(const unsigned long *args, const union bpf_attr *attr)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		const struct command *c = &commands[i];

		if (c->cmd == (u32)args[0] &&
		    (c->attach_type == ANY_TYPE || c->attach_type == attr->link_create.attach_type))
			return c;
	}
	return NULL;
}

/**
 * trace_syscall_bpf_gives_fd - whether the result of a command is a descriptor
 * @cmd: the command
 *
 * Return: false also of commands that are not known.
 */
bool trace_syscall_bpf_gives_fd(u32 cmd)
{
	switch (cmd) {
	case BPF_MAP_CREATE:
	case BPF_PROG_LOAD:
	case BPF_OBJ_GET:
	case BPF_PROG_GET_FD_BY_ID:
	case BPF_MAP_GET_FD_BY_ID:
	case BPF_BTF_GET_FD_BY_ID:
	case BPF_LINK_GET_FD_BY_ID:
	case BPF_RAW_TRACEPOINT_OPEN:
	case BPF_BTF_LOAD:
	case BPF_LINK_CREATE:
	case BPF_ENABLE_STATS:
	case BPF_ITER_CREATE:
	case BPF_TOKEN_CREATE:
		return true;
	default:
		return false;
	}
}

/* Of the members that lead to more */
static void read_members(struct trace_syscall_reader *r, const struct trace_syscall_member *m,
			 unsigned int nr, const union bpf_attr *attr)
{
	unsigned int most = r->most;
	u64 address;

	for (; nr-- && (m->print || m->print_in || m->of); m++) {
		if (m->of)
			read_members(r, m->of, UINT_MAX, attr);
		if (m->print_in != print_name && m->print_in != print_path &&
		    m->print_in != print_btf)
			continue;
		memcpy(&address, (const void *)attr + m->offset, sizeof(address));
		if (!address)
			continue;
		if (m->print_in == print_btf) {
			trace_syscall_read_bytes(r, address, attr->btf_size);
			continue;
		}
		r->most = m->print_in == print_name ? min(most, MOST_OF_A_NAME) : most;
		trace_syscall_read_string(r, address);
		r->most = most;
	}
}

/* With more than a page, the call fails before it reads any */
static void read_taken(struct trace_syscall_reader *r, unsigned long address, u32 size)
{
	unsigned int some = min_t(u32, size, sizeof(union bpf_attr));
	const struct command *command;
	union bpf_attr attr = {};
	const void *bytes;

	if (!size || size > PAGE_SIZE)
		return;
	bytes = trace_syscall_read(r, address, some);
	if (!bytes)
		return;
	memcpy(&attr, bytes, some);
	command = find_command(r->args, &attr);
	if (command)
		read_members(r, command->members, command->nr, &attr);
}

/* Where the only word is that a command gives which is shown; 0 if it gives none */
static unsigned int word_given(const unsigned long *args)
{
	switch ((u32)args[0]) {
	case BPF_PROG_GET_NEXT_ID:
	case BPF_MAP_GET_NEXT_ID:
	case BPF_BTF_GET_NEXT_ID:
	case BPF_LINK_GET_NEXT_ID:
		return offsetof(union bpf_attr, next_id);
	case BPF_OBJ_GET_INFO_BY_FD:
		return offsetof(union bpf_attr, info.info_len);
	default:
		return 0;
	}
}

static void read_bpf(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
		     unsigned long address, unsigned long count)
{
	if (!(r->of & TRACE_SYSCALL_OUT))
		read_taken(r, address, count);
	else if (word_given(r->args))
		trace_syscall_read(r, address + word_given(r->args), sizeof(u32));
}

static u64 address_at(const void *bytes)
{
	u64 address;

	memcpy(&address, bytes, sizeof(address));
	return address;
}

static void print_piece(struct trace_syscall_printer *p, const struct trace_syscall_member *m,
			const void *bytes)
{
	u64 address = address_at(bytes);
	const struct trace_syscall_piece *piece = address ? trace_syscall_next(p) : NULL;

	if (piece && !(piece->head & TRACE_SYSCALL_PIECE_UNKNOWN))
		trace_syscall_print_text(p->s, piece);
	else
		trace_syscall_address(p->s, m, address);
}

static void print_name(struct trace_syscall_printer *p, const struct trace_syscall_member *m,
		       const void *bytes)
{
	print_piece(p, m, bytes);
}

static void print_path(struct trace_syscall_printer *p, const struct trace_syscall_member *m,
		       const void *bytes)
{
	print_piece(p, m, bytes);
}

static void print_btf(struct trace_syscall_printer *p, const struct trace_syscall_member *m,
		      const void *bytes)
{
	print_piece(p, m, bytes);
}

/* A word, and what the call has made of it */
static void print_given(struct trace_syscall_printer *p, const void *bytes)
{
	struct trace_syscall_printer after = *p;
	u32 word, given;

	memcpy(&word, bytes, sizeof(word));
	trace_seq_printf(p->s, "%u", word);
	if (trace_syscall_seek(&after, p->of | TRACE_SYSCALL_OUT) &&
	    trace_syscall_next_whole(&after, &given, sizeof(given)) && given != word)
		trace_seq_printf(p->s, " => %u", given);
}

static void print_next_id(struct trace_syscall_printer *p, const struct trace_syscall_member *m,
			  const void *bytes)
{
	print_given(p, bytes);
}

static void print_info_len(struct trace_syscall_printer *p, const struct trace_syscall_member *m,
			   const void *bytes)
{
	print_given(p, bytes);
}

/* Whether there is more than the command knows */
static bool has_more(const struct command *command, const union bpf_attr *attr, u32 size)
{
	return size > sizeof(*attr) ||
	       (size > command->end &&
		memchr_inv((const void *)attr + command->end, 0, size - command->end));
}

static bool print_bpf(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
		      unsigned long address, unsigned long count)
{
	const struct trace_syscall_piece *piece;
	struct trace_syscall_layout layout;
	const struct command *command;
	union bpf_attr attr = {};

	/* What was given is shown beside what was taken */
	if (p->of & TRACE_SYSCALL_OUT && !trace_syscall_seek(p, p->of & ~TRACE_SYSCALL_OUT))
		return false;
	piece = trace_syscall_next(p);
	if (!piece || !piece->head || piece->head > sizeof(attr))
		return false;
	memcpy(&attr, piece->bytes, piece->head);
	command = find_command(p->call->args, &attr);
	if (!command)
		return false;
	layout = (struct trace_syscall_layout) {
		.members = command->members, .nr = command->nr,
		.more = has_more(command, &attr, count),
	};
	trace_syscall_print_some(p, &layout, &attr, piece->head);
	return true;
}

/* No program has another layout */
const struct trace_syscall_form trace_syscall_form_bpf = {
	.read	= read_bpf,
	.print	= print_bpf,
};
