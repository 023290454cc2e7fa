/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Builds tables of signatures for tests, word for word as the format header
 * describes them and independently of the build tool.
 */
#ifndef _KERNEL_TRACE_SIGNATURE_TESTS_BUILDER_H
#define _KERNEL_TRACE_SIGNATURE_TESTS_BUILDER_H

#include <kunit/test.h>
#include <linux/trace_seq.h>

#include "../signature.h"

#define BUILDER_WORDS	512
#define BUILDER_BYTES	2048
#define BUILDER_SITES	64

/**
 * struct builder - a table that is being built
 * @test: the test that owns its memory
 * @types: words of the types; void is there from the start
 * @nr_types: how many words
 * @protos: words of the prototypes
 * @nr_protos: how many words
 * @proto: offset in bytes of the prototype that was begun last
 * @strings: the strings; the empty one is there from the start
 * @strings_size: how many bytes
 * @ips: distance of each call site from the start of the finished table; if
 *	the table is apart from its image, from _stext
 * @sigs: prototype offset of each call site
 * @nr_sites: how many call sites
 */
struct builder {
	struct kunit	*test;
	u32		types[BUILDER_WORDS];
	u32		nr_types;
	u32		protos[BUILDER_WORDS];
	u32		nr_protos;
	u32		proto;
	char		strings[BUILDER_BYTES];
	u32		strings_size;
	s32		ips[BUILDER_SITES];
	u32		sigs[BUILDER_SITES];
	u32		nr_sites;
};

struct builder *builder_new(struct kunit *test);
u32 builder_string(struct builder *b, const char *string);

/* Types: each returns its id */
u32 builder_int(struct builder *b, const char *name, u32 size, u32 flags);
u32 builder_float(struct builder *b, const char *name, u32 size);
u32 builder_ref(struct builder *b, u32 kind, const char *name, u32 target,
		u32 size);
u32 builder_struct(struct builder *b, const char *name, u32 size);
u32 builder_array(struct builder *b, u32 element, u32 nr, u32 size);
u32 builder_func(struct builder *b, u32 ret);
u32 builder_enum(struct builder *b, const char *name, u32 size, u32 flags,
		 u32 nr);
u32 builder_members(struct builder *b, u32 kind, const char *name, u32 size,
		    u32 nr);
void builder_member(struct builder *b, const char *name, u32 type, u32 offset,
		    u32 width);
void builder_enumerator(struct builder *b, const char *name, s64 value,
			u32 size);

/* Prototypes: builder_proto() begins one, builder_param() adds to it */
u32 builder_proto(struct builder *b, u32 ret, u32 ret_place, u32 flags);
void builder_param(struct builder *b, const char *name, u32 type, u32 place,
		   u32 nr_words);
void builder_const(struct builder *b, u64 value);

void builder_site(struct builder *b, s32 distance, u32 proto);

/* The finished table, of *@size bytes; another checksum after a change */
void *builder_finish(struct builder *b, u32 *size);
void *builder_finish_apart(struct builder *b, const u8 *build_id, u32 *size);
void builder_checksum(void *data);

/* The call site of a function of the image, or 0 if it has none */
unsigned long builder_call_site(void *function);

/* A trace_seq that is freed after the test, and its text */
struct trace_seq *builder_seq(struct kunit *test);
const char *builder_text(struct trace_seq *s);

#endif /* _KERNEL_TRACE_SIGNATURE_TESTS_BUILDER_H */
