// SPDX-License-Identifier: GPL-2.0
/* See builder.h. */
#include <linux/crc32.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/string.h>

#include <asm/text-patching.h>

#include "builder.h"

struct builder *builder_new(struct kunit *test)
{
	struct builder *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, b);
	b->test = test;
	b->strings_size = 1;
	b->nr_types = 2;
	return b;
}

static u32 add_word(struct builder *b, u32 *words, u32 *nr, u32 word)
{
	KUNIT_ASSERT_LT(b->test, *nr, BUILDER_WORDS);
	words[*nr] = word;
	return (*nr)++;
}

static u32 add_type(struct builder *b, u32 word)
{
	return add_word(b, b->types, &b->nr_types, word);
}

u32 builder_string(struct builder *b, const char *string)
{
	u32 offset = b->strings_size;

	if (!string[0])
		return 0;
	b->strings_size += strlen(string) + 1;
	KUNIT_ASSERT_LE(b->test, b->strings_size, BUILDER_BYTES);
	memcpy(b->strings + offset, string, strlen(string));
	return offset;
}

u32 builder_int(struct builder *b, const char *name, u32 size, u32 flags)
{
	u32 id = add_type(b, FTRACE_SIG_TYPE(FTRACE_SIG_INT, flags, size));

	add_type(b, builder_string(b, name));
	return id;
}

u32 builder_float(struct builder *b, const char *name, u32 size)
{
	u32 id = add_type(b, FTRACE_SIG_TYPE(FTRACE_SIG_FLOAT, 0, size));

	add_type(b, builder_string(b, name));
	return id;
}

u32 builder_ref(struct builder *b, u32 kind, const char *name, u32 target,
		u32 size)
{
	u32 id = add_type(b, FTRACE_SIG_TYPE(kind, 0, size));

	add_type(b, builder_string(b, name));
	add_type(b, target);
	return id;
}

u32 builder_struct(struct builder *b, const char *name, u32 size)
{
	return builder_ref(b, FTRACE_SIG_STRUCT, name, 0, size);
}

u32 builder_array(struct builder *b, u32 element, u32 nr, u32 size)
{
	u32 id = builder_ref(b, FTRACE_SIG_ARRAY, "", element, size);

	add_type(b, nr);
	return id;
}

u32 builder_func(struct builder *b, u32 ret)
{
	u32 id = builder_ref(b, FTRACE_SIG_FUNC, "", ret, 0);

	add_type(b, 0);
	return id;
}

u32 builder_enum(struct builder *b, const char *name, u32 size, u32 flags,
		 u32 nr)
{
	u32 id = add_type(b, FTRACE_SIG_TYPE(FTRACE_SIG_ENUM, flags, size));

	add_type(b, builder_string(b, name));
	add_type(b, nr);
	return id;
}

u32 builder_members(struct builder *b, u32 kind, const char *name, u32 size,
		    u32 nr)
{
	return builder_ref(b, kind, name, nr, size);
}

/* @offset and @width are bits, and @width is 0 if it is not a bit field */
void builder_member(struct builder *b, const char *name, u32 type, u32 offset,
		    u32 width)
{
	add_type(b, FTRACE_SIG_WORD(builder_string(b, name), width));
	add_type(b, type);
	add_type(b, offset);
}

void builder_enumerator(struct builder *b, const char *name, s64 value, u32 size)
{
	add_type(b, builder_string(b, name));
	add_type(b, value);
	if (size == 8)
		add_type(b, value >> 32);
}

static struct ftrace_sig_proto *last_proto(struct builder *b)
{
	return (void *)b->protos + b->proto;
}

u32 builder_proto(struct builder *b, u32 ret, u32 ret_place, u32 flags)
{
	b->proto = b->nr_protos * sizeof(u32);
	add_word(b, b->protos, &b->nr_protos, FTRACE_SIG_WORD(ret, ret_place));
	add_word(b, b->protos, &b->nr_protos, 0);
	last_proto(b)->flags = flags;
	return b->proto;
}

void builder_param(struct builder *b, const char *name, u32 type, u32 place,
		   u32 nr_words)
{
	struct ftrace_sig_proto *proto = last_proto(b);

	add_word(b, b->protos, &b->nr_protos, FTRACE_SIG_WORD(type, place));
	add_word(b, b->protos, &b->nr_protos,
		 FTRACE_SIG_WORD(builder_string(b, name), nr_words));
	proto->nr_params++;
	if (FTRACE_SIG_IS_REG(place))
		proto->nr_regs = max_t(u32, proto->nr_regs, place + nr_words);
	else if (FTRACE_SIG_IS_STACK(place))
		proto->nr_stack = max_t(u32, proto->nr_stack, nr_words +
					place - FTRACE_SIG_PLACE_STACK);
	else if (FTRACE_SIG_IS_SYSCALL(place))
		proto->nr_stack = FTRACE_SIG_SYSCALL_ARG(place) + 1;
}

void builder_const(struct builder *b, u64 value)
{
	add_word(b, b->protos, &b->nr_protos, value);
	add_word(b, b->protos, &b->nr_protos, value >> 32);
}

void builder_site(struct builder *b, s32 distance, u32 proto)
{
	KUNIT_ASSERT_LT(b->test, b->nr_sites, BUILDER_SITES);
	b->ips[b->nr_sites] = distance;
	b->sigs[b->nr_sites++] = proto;
}

void builder_checksum(void *data)
{
	struct ftrace_sig_header *h = data;
	u32 start = h->flags & FTRACE_SIG_F_APART ? sizeof(*h) : h->sigs;
	u32 crc;

	h->checksum = 0;
	crc = crc32_le(~0, data, sizeof(*h));
	h->checksum = ~crc32_le(crc, data + start, h->size - start);
}

static void *finish(struct builder *b, u8 flags, u32 ips, u32 *size)
{
	struct ftrace_sig_header h = {
		.magic		= FTRACE_SIG_MAGIC,
		.version	= FTRACE_SIG_VERSION,
		.word_size	= sizeof(long),
		.flags		= flags,
		.nr_sites	= b->nr_sites,
		.ips		= ips,
	};
	void *data;

	h.sigs = h.ips + b->nr_sites * sizeof(s32);
	h.protos = h.sigs + b->nr_sites * sizeof(u32);
	h.types = h.protos + b->nr_protos * sizeof(u32);
	h.strings = h.types + b->nr_types * sizeof(u32);
	h.strings_end = h.strings + b->strings_size;
	h.size = ALIGN(h.strings_end, 8);

	data = kunit_kzalloc(b->test, h.size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(b->test, data);
	memcpy(data, &h, sizeof(h));
	memcpy(data + h.sigs, b->sigs, b->nr_sites * sizeof(u32));
	memcpy(data + h.protos, b->protos, b->nr_protos * sizeof(u32));
	memcpy(data + h.types, b->types, b->nr_types * sizeof(u32));
	memcpy(data + h.strings, b->strings, b->strings_size);

	*size = h.size;
	return data;
}

void *builder_finish(struct builder *b, u32 *size)
{
	u32 ips = sizeof(struct ftrace_sig_header);
	void *data = finish(b, 0, ips, size);
	u32 i;

	for (i = 0; i < b->nr_sites; i++)
		((s32 *)(data + ips))[i] = b->ips[i] - (s32)(ips + 4 * i);
	builder_checksum(data);
	return data;
}

void *builder_finish_apart(struct builder *b, const u8 *build_id, u32 *size)
{
	struct ftrace_sig_apart *apart;
	u32 ips = sizeof(struct ftrace_sig_header) + sizeof(*apart);
	void *data = finish(b, FTRACE_SIG_F_APART, ips, size);

	apart = data + sizeof(struct ftrace_sig_header);
	memcpy(apart->build_id, build_id, sizeof(apart->build_id));
	memcpy(data + ips, b->ips, b->nr_sites * sizeof(s32));
	builder_checksum(data);
	return data;
}

/* Static tracing keeps no list of call sites, but the calls stay in the code. */
static unsigned long find_call(unsigned long function)
{
	unsigned long size, offset, ip;

	if (!kallsyms_lookup_size_offset(function, &size, &offset))
		return 0;
	for (ip = function; ip + MCOUNT_INSN_SIZE <= function + size; ip++) {
		const union text_poke_insn *insn = (void *)ip;

		if (insn->opcode == CALL_INSN_OPCODE &&
		    ip + CALL_INSN_SIZE + insn->disp == MCOUNT_ADDR)
			return ip;
	}
	return 0;
}

unsigned long builder_call_site(void *function)
{
	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE))
		return ftrace_location((unsigned long)function);
	return find_call((unsigned long)function);
}

struct trace_seq *builder_seq(struct kunit *test)
{
	struct trace_seq *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, s);
	trace_seq_init(s);
	return s;
}

const char *builder_text(struct trace_seq *s)
{
	trace_seq_putc(s, '\0');
	return s->buffer;
}
