// SPDX-License-Identifier: GPL-2.0
/*
 * What an expression of a probe means: where its value is, what it is, and why it may
 * not be fetched.  The structures are laid out as the compiler lays out those of this
 * file.
 */
#include <linux/fs.h>
#include <linux/stddef.h>

#include "../../trace_sig_probe.h"
#include "builder.h"

#define BITS(type, member) (offsetof(type, member) * BITS_PER_BYTE)

struct inner {
	short		id;
	char		name[6];
	struct outer	*back;
};

struct outer {
	int		num;
	unsigned int	low : 3;
	int		high : 7;
	bool		flag;
	struct inner	inner;
	struct inner	*next;
	union {
		u64		wide;
		unsigned char	byte;
	};
	const char	*text;
	int		list[3];
};

struct types {
	u32	num, count, word, wide, letter, flag, small, colour, huge;
	u32	inner, outer, stub, text, to_outer, to_inner, to_stub, to_void, to_num;
};

/* Signatures with these types */
struct probe {
	struct kunit		*test;
	struct builder		*b;
	struct types		t;
	struct ftrace_sig_table	table;
	struct ftrace_signature	sig;
	struct trace_sig_value	value;
	unsigned int		where;
};

static u32 pointer_to(struct builder *b, u32 id)
{
	return builder_ref(b, FTRACE_SIG_PTR, "", id, sizeof(long));
}

static void build_numbers(struct builder *b, struct types *t)
{
	t->num = builder_int(b, "int", 4, FTRACE_SIG_INT_SIGNED);
	t->count = builder_int(b, "unsigned int", 4, 0);
	t->word = builder_int(b, "unsigned long", sizeof(long), 0);
	t->wide = builder_int(b, "unsigned long long", 8, 0);
	t->letter = builder_int(b, "char", 1, FTRACE_SIG_INT_CHAR);
	t->flag = builder_int(b, "_Bool", 1, FTRACE_SIG_INT_BOOL);
	t->small = builder_int(b, "signed char", 1, FTRACE_SIG_INT_SIGNED);
	t->huge = builder_int(b, "__int128", 16, FTRACE_SIG_INT_SIGNED);
	t->colour = builder_enum(b, "colour", 4, 0, 1);
	builder_enumerator(b, "RED", 0, 4);
}

static void build_inner(struct builder *b, struct types *t)
{
	u32 half = builder_int(b, "short", 2, FTRACE_SIG_INT_SIGNED);
	u32 name = builder_array(b, t->letter, 6, 6);

	t->inner = builder_members(b, FTRACE_SIG_STRUCT, "inner", sizeof(struct inner), 3);
	builder_member(b, "id", half, BITS(struct inner, id), 0);
	builder_member(b, "name", name, BITS(struct inner, name), 0);
	builder_member(b, "back", t->to_outer, BITS(struct inner, back), 0);
	t->to_inner = pointer_to(b, t->inner);
}

static u32 build_union(struct builder *b, struct types *t)
{
	u32 byte = builder_int(b, "unsigned char", 1, 0);
	u32 both = builder_members(b, FTRACE_SIG_UNION, "", sizeof(u64), 2);

	builder_member(b, "wide", t->wide, 0, 0);
	builder_member(b, "byte", byte, 0, 0);
	return both;
}

static void build_outer(struct builder *b, struct types *t)
{
	u32 after_num = (offsetof(struct outer, num) + sizeof(int)) * BITS_PER_BYTE;
	u32 list = builder_array(b, t->num, 3, 3 * sizeof(int));
	u32 both = build_union(b, t);

	t->outer = builder_members(b, FTRACE_SIG_STRUCT, "outer", sizeof(struct outer), 9);
	builder_member(b, "num", t->num, 0, 0);
	builder_member(b, "low", t->count, after_num, 3);
	builder_member(b, "high", t->num, after_num + 3, 7);
	builder_member(b, "flag", t->flag, BITS(struct outer, flag), 0);
	builder_member(b, "inner", t->inner, BITS(struct outer, inner), 0);
	builder_member(b, "next", t->to_inner, BITS(struct outer, next), 0);
	builder_member(b, "", both, BITS(struct outer, wide), 0);
	builder_member(b, "text", t->text, BITS(struct outer, text), 0);
	builder_member(b, "list", list, BITS(struct outer, list), 0);
}

static struct probe *probe_new(struct kunit *test)
{
	struct probe *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);
	struct builder *b = builder_new(test);
	struct types *t;

	KUNIT_ASSERT_NOT_NULL(test, p);
	p->test = test;
	p->b = b;
	t = &p->t;
	build_numbers(b, t);
	t->text = pointer_to(b, builder_ref(b, FTRACE_SIG_CONST, "", t->letter, 1));
	t->to_void = pointer_to(b, 0);
	t->to_num = pointer_to(b, t->num);
	/* A pointer may refer to what follows it */
	t->to_outer = pointer_to(b, 0);
	build_inner(b, t);
	build_outer(b, t);
	b->types[t->to_outer + 2] = t->outer;
	t->stub = builder_members(b, FTRACE_SIG_STRUCT, "stub", 8, 0);
	b->types[t->stub] |= FTRACE_SIG_TYPE(0, FTRACE_SIG_STUB, 0);
	t->to_stub = pointer_to(b, t->stub);
	return p;
}

/* All parameters were added: the signature is that of the prototype begun last */
static void finish(struct probe *p)
{
	u32 size;
	void *data = builder_finish(p->b, &size);

	KUNIT_ASSERT_NULL(p->test, ftrace_sig_table_check(data, size, &p->table));
	p->sig.table = &p->table;
	p->sig.proto = p->table.protos + p->b->proto;
}

static enum trace_sig_error resolve(struct probe *p, const char *expr)
{
	return trace_sig_value_of(&p->sig, 0, expr, &p->value, &p->where);
}

static void expect_error(struct probe *p, const char *expr, enum trace_sig_error error,
			 unsigned int where)
{
	KUNIT_EXPECT_EQ_MSG(p->test, resolve(p, expr), error, "%s", expr);
	KUNIT_EXPECT_EQ_MSG(p->test, p->where, where, "%s", expr);
}

static void expect_word(struct probe *p, const char *expr, unsigned int word,
			enum trace_sig_nature nature, bool is_signed, u32 size)
{
	KUNIT_EXPECT_EQ_MSG(p->test, resolve(p, expr), TRACE_SIG_OK, "%s", expr);
	KUNIT_EXPECT_EQ_MSG(p->test, p->value.source, TRACE_SIG_WORD, "%s", expr);
	KUNIT_EXPECT_EQ_MSG(p->test, p->value.word, word, "%s", expr);
	KUNIT_EXPECT_EQ_MSG(p->test, p->value.nature, nature, "%s", expr);
	KUNIT_EXPECT_EQ_MSG(p->test, p->value.is_signed, is_signed, "%s", expr);
	KUNIT_EXPECT_EQ_MSG(p->test, p->value.size, size, "%s", expr);
	KUNIT_EXPECT_EQ_MSG(p->test, p->value.untyped, TRACE_SIG_OK, "%s", expr);
}

static void probe_params(struct kunit *test)
{
	struct probe *p = probe_new(test);
	struct builder *b = p->b;

	builder_proto(b, 0, FTRACE_SIG_RET_VOID, 0);
	builder_param(b, "ptr", p->t.to_outer, 0, 1);
	builder_param(b, "num", p->t.num, 2, 1);
	builder_param(b, "flag", p->t.flag, 1, 1);
	builder_param(b, "colour", p->t.colour, FTRACE_SIG_PLACE_STACK, 1);
	builder_param(b, "last", p->t.small, FTRACE_SIG_PLACE_STACK + 3, 1);
	finish(p);

	expect_word(p, "ptr", 0, TRACE_SIG_POINTER, false, sizeof(long));
	expect_word(p, "num", 2, TRACE_SIG_INTEGER, true, 4);
	expect_word(p, "flag", 1, TRACE_SIG_INTEGER, false, 1);
	expect_word(p, "colour", FTRACE_SIG_ARG_REGS, TRACE_SIG_INTEGER, false, 4);
	expect_word(p, "last", FTRACE_SIG_ARG_REGS + 3, TRACE_SIG_INTEGER, true, 1);
	expect_word(p, "$arg2", 2, TRACE_SIG_INTEGER, true, 4);
	expect_word(p, "$arg5", FTRACE_SIG_ARG_REGS + 3, TRACE_SIG_INTEGER, true, 1);

	expect_error(p, "", TRACE_SIG_NO_PARAM, 0);
	expect_error(p, "nu", TRACE_SIG_NO_PARAM, 0);
	expect_error(p, "number", TRACE_SIG_NO_PARAM, 0);
	expect_error(p, "$arg0", TRACE_SIG_NO_PARAM, 0);
	expect_error(p, "$arg6", TRACE_SIG_NO_PARAM, 0);
	expect_error(p, "$arg", TRACE_SIG_NO_PARAM, 0);
	expect_error(p, "$arg1x", TRACE_SIG_NO_PARAM, 0);
	expect_error(p, "$arg4294967297", TRACE_SIG_NO_PARAM, 0);
	expect_error(p, "$retval", TRACE_SIG_VOID, 0);
	expect_error(p, "$retvalue", TRACE_SIG_NO_PARAM, 0);
}

static void add_two(struct probe *p, u32 flags, u32 first, u32 second)
{
	builder_proto(p->b, 0, FTRACE_SIG_RET_VOID, flags);
	builder_param(p->b, "fmt", p->t.text, first, 1);
	builder_param(p->b, "num", p->t.num, second, 1);
	finish(p);
}

/* Behind the parameters, a number counts words */
static void probe_variadic(struct kunit *test)
{
	bool in_stack = IS_ENABLED(CONFIG_X86_32);
	u32 place = in_stack ? FTRACE_SIG_PLACE_STACK : 0;
	u32 first = in_stack ? FTRACE_SIG_ARG_REGS : 0;
	struct probe *p = probe_new(test);

	add_two(p, FTRACE_SIG_VARIADIC, place, place + 1);
	expect_word(p, "fmt", first, TRACE_SIG_POINTER, false, sizeof(long));
	expect_word(p, "$arg2", first + 1, TRACE_SIG_INTEGER, true, 4);
	KUNIT_EXPECT_EQ(test, resolve(p, "$arg3"), TRACE_SIG_OK);
	KUNIT_EXPECT_EQ(test, p->value.source, TRACE_SIG_WORD);
	KUNIT_EXPECT_EQ(test, p->value.word, first + 2);
	KUNIT_EXPECT_EQ(test, p->value.untyped, TRACE_SIG_NEEDS_TYPE);
	/* In the stack on x86-64, too */
	KUNIT_EXPECT_EQ(test, resolve(p, "$arg7"), TRACE_SIG_OK);
	KUNIT_EXPECT_EQ(test, p->value.word, first + 6);
	expect_error(p, "$arg999", TRACE_SIG_NO_PARAM, 0);
	expect_error(p, "$arg0", TRACE_SIG_NO_PARAM, 0);
}

/* Where the parameters are not in a row, the rest may be anywhere */
static void probe_variadic_unknown(struct kunit *test)
{
	struct probe *p = probe_new(test);

	add_two(p, FTRACE_SIG_VARIADIC, 0, FTRACE_SIG_PLACE_STACK);
	expect_error(p, "$arg3", TRACE_SIG_UNKNOWN, 0);
	p = probe_new(test);
	add_two(p, FTRACE_SIG_VARIADIC, 0, FTRACE_SIG_PLACE_REMOVED);
	expect_error(p, "$arg3", TRACE_SIG_UNKNOWN, 0);
	p = probe_new(test);
	builder_proto(p->b, 0, FTRACE_SIG_RET_VOID, FTRACE_SIG_VARIADIC);
	builder_param(p->b, "huge", p->t.huge, FTRACE_SIG_PLACE_STACK, 2);
	finish(p);
	expect_error(p, "$arg2", TRACE_SIG_UNKNOWN, 0);
}

/* A function reads no more than its definition names, be that f() or f(void) */
static void probe_unprototyped(struct kunit *test)
{
	struct probe *p = probe_new(test);

	add_two(p, FTRACE_SIG_UNPROTOTYPED, 0, 1);
	expect_word(p, "$arg2", 1, TRACE_SIG_INTEGER, true, 4);
	expect_error(p, "$arg3", TRACE_SIG_NO_PARAM, 0);
	p = probe_new(test);
	builder_proto(p->b, 0, FTRACE_SIG_RET_VOID, FTRACE_SIG_UNPROTOTYPED);
	finish(p);
	expect_error(p, "$arg1", TRACE_SIG_NO_PARAM, 0);
	p = probe_new(test);
	builder_proto(p->b, 0, FTRACE_SIG_RET_VOID, 0);
	finish(p);
	expect_error(p, "$arg1", TRACE_SIG_NO_PARAM, 0);
}

/* Those of tracepoints begin behind one that nobody named */
static void probe_hidden(struct kunit *test)
{
	struct probe *p = probe_new(test);

	builder_proto(p->b, 0, FTRACE_SIG_RET_VOID, 0);
	builder_param(p->b, "__data", p->t.to_void, 0, 1);
	builder_param(p->b, "num", p->t.num, 1, 1);
	finish(p);

	KUNIT_EXPECT_EQ(test, trace_sig_value_of(&p->sig, 1, "num", &p->value, &p->where),
			TRACE_SIG_OK);
	KUNIT_EXPECT_EQ(test, p->value.word, 1);
	KUNIT_EXPECT_EQ(test, trace_sig_value_of(&p->sig, 1, "$arg1", &p->value, &p->where),
			TRACE_SIG_OK);
	KUNIT_EXPECT_EQ(test, p->value.word, 1);
	KUNIT_EXPECT_EQ(test, trace_sig_value_of(&p->sig, 1, "__data", &p->value, &p->where),
			TRACE_SIG_NO_PARAM);
	KUNIT_EXPECT_EQ(test, trace_sig_value_of(&p->sig, 1, "$arg2", &p->value, &p->where),
			TRACE_SIG_NO_PARAM);
}

/* What a clone has made of its parameters */
static void probe_places(struct kunit *test)
{
	struct probe *p = probe_new(test);
	struct builder *b = p->b;

	builder_proto(b, p->t.num, FTRACE_SIG_RET_UNKNOWN, FTRACE_SIG_CLONE);
	builder_param(b, "gone", p->t.num, FTRACE_SIG_PLACE_REMOVED, 0);
	builder_param(b, "seven", p->t.num, FTRACE_SIG_PLACE_CONST, 0);
	builder_param(b, "moved", p->t.to_outer, 0, 1);
	builder_param(b, "lost", p->t.num, FTRACE_SIG_PLACE_UNKNOWN,
		      FTRACE_SIG_WHY_ASSIGNED);
	builder_param(b, "minus", p->t.small, FTRACE_SIG_PLACE_CONST, 0);
	builder_const(b, 7);
	builder_const(b, -1);
	finish(p);

	expect_error(p, "gone", TRACE_SIG_REMOVED, 0);
	expect_error(p, "$arg1", TRACE_SIG_REMOVED, 0);
	expect_error(p, "lost", TRACE_SIG_UNKNOWN, 0);
	expect_word(p, "moved", 0, TRACE_SIG_POINTER, false, sizeof(long));
	expect_word(p, "$arg3", 0, TRACE_SIG_POINTER, false, sizeof(long));

	KUNIT_EXPECT_EQ(test, resolve(p, "seven"), TRACE_SIG_OK);
	KUNIT_EXPECT_EQ(test, p->value.source, TRACE_SIG_CONSTANT);
	KUNIT_EXPECT_EQ(test, p->value.constant, 7);
	KUNIT_EXPECT_EQ(test, resolve(p, "minus"), TRACE_SIG_OK);
	KUNIT_EXPECT_EQ(test, p->value.constant, (u64)-1);
	KUNIT_EXPECT_EQ(test, p->value.size, 1);

	/* Its register can be fetched by whoever gives a type */
	KUNIT_EXPECT_EQ(test, resolve(p, "$retval"), TRACE_SIG_OK);
	KUNIT_EXPECT_EQ(test, p->value.source, TRACE_SIG_RESULT);
	KUNIT_EXPECT_EQ(test, p->value.untyped, TRACE_SIG_NO_RESULT);
}

/* What takes two words, and structures that are passed by value */
static void probe_wide(struct kunit *test)
{
	struct probe *p = probe_new(test);
	struct builder *b = p->b;
	u32 two = 16 / sizeof(long);

	builder_proto(b, sizeof(long) == 4 ? p->t.wide : p->t.huge, FTRACE_SIG_RET_PAIR, 0);
	builder_param(b, "huge", p->t.huge, FTRACE_SIG_PLACE_STACK, two);
	builder_param(b, "value", p->t.stub, 0, 8 / sizeof(long));
	builder_param(b, "wide", p->t.wide, FTRACE_SIG_PLACE_STACK + two, 8 / sizeof(long));
	finish(p);

	expect_error(p, "huge", TRACE_SIG_TWO_WORDS, 0);
	expect_error(p, "$arg1", TRACE_SIG_TWO_WORDS, 0);
	expect_error(p, "value", TRACE_SIG_BY_VALUE, 0);
	expect_error(p, "value.member", TRACE_SIG_BY_VALUE, 6);
	if (sizeof(long) == 4)
		expect_error(p, "wide", TRACE_SIG_TWO_WORDS, 0);
	else
		expect_word(p, "wide", FTRACE_SIG_ARG_REGS + 2, TRACE_SIG_INTEGER, false, 8);
	KUNIT_EXPECT_EQ(test, resolve(p, "$retval"), TRACE_SIG_OK);
	KUNIT_EXPECT_EQ(test, p->value.untyped, TRACE_SIG_TWO_WORDS);
	expect_error(p, "$retval->num", TRACE_SIG_TWO_WORDS, 0);
}

static void add_pointers(struct probe *p)
{
	builder_proto(p->b, p->t.to_outer, FTRACE_SIG_RET_WORD, 0);
	builder_param(p->b, "o", p->t.to_outer, 0, 1);
	builder_param(p->b, "stub", p->t.to_stub, 1, 1);
	builder_param(p->b, "any", p->t.to_void, 2, 1);
	builder_param(p->b, "to_num", p->t.to_num, FTRACE_SIG_PLACE_STACK, 1);
	builder_param(p->b, "num", p->t.num, FTRACE_SIG_PLACE_STACK + 1, 1);
	finish(p);
}

static void expect_member(struct probe *p, const char *expr, unsigned int nr, size_t last,
			  u32 size)
{
	KUNIT_ASSERT_EQ_MSG(p->test, resolve(p, expr), TRACE_SIG_OK, "%s", expr);
	KUNIT_ASSERT_EQ_MSG(p->test, p->value.nr_derefs, nr, "%s", expr);
	KUNIT_EXPECT_EQ_MSG(p->test, p->value.offsets[nr - 1], last, "%s", expr);
	KUNIT_EXPECT_EQ_MSG(p->test, p->value.size, size, "%s", expr);
	KUNIT_EXPECT_EQ_MSG(p->test, p->value.width, 0, "%s", expr);
}

static void probe_members(struct kunit *test)
{
	struct probe *p = probe_new(test);

	add_pointers(p);
	expect_member(p, "o->num", 1, offsetof(struct outer, num), 4);
	KUNIT_EXPECT_TRUE(test, p->value.is_signed);
	expect_member(p, "o->flag", 1, offsetof(struct outer, flag), 1);
	expect_member(p, "o->inner.id", 1, offsetof(struct outer, inner.id), 2);
	expect_member(p, "o->wide", 1, offsetof(struct outer, wide), 8);
	expect_member(p, "o->byte", 1, offsetof(struct outer, byte), 1);
	expect_member(p, "o->text", 1, offsetof(struct outer, text), sizeof(long));
	KUNIT_EXPECT_TRUE(test, p->value.is_text);
	KUNIT_EXPECT_EQ(test, p->value.nature, TRACE_SIG_POINTER);
	expect_member(p, "$arg1->num", 1, offsetof(struct outer, num), 4);
	expect_member(p, "$retval->num", 1, offsetof(struct outer, num), 4);
	KUNIT_EXPECT_EQ(test, p->value.source, TRACE_SIG_RESULT);

	expect_member(p, "o->inner.back->next->id", 3, offsetof(struct inner, id), 2);
	KUNIT_EXPECT_EQ(test, p->value.offsets[0], offsetof(struct outer, inner.back));
	KUNIT_EXPECT_EQ(test, p->value.offsets[1], offsetof(struct outer, next));
}

/* They have a place, but nothing tells how to show them */
static void probe_arrays(struct kunit *test)
{
	struct probe *p = probe_new(test);

	add_pointers(p);
	expect_member(p, "o->next->name", 2, offsetof(struct inner, name), 6);
	KUNIT_EXPECT_TRUE(test, p->value.is_text);
	KUNIT_EXPECT_EQ(test, p->value.untyped, TRACE_SIG_NEEDS_TYPE);
	expect_member(p, "o->list", 1, offsetof(struct outer, list), 3 * sizeof(int));
	KUNIT_EXPECT_FALSE(test, p->value.is_text);
	KUNIT_EXPECT_EQ(test, p->value.untyped, TRACE_SIG_NEEDS_TYPE);
	expect_member(p, "o->inner", 1, offsetof(struct outer, inner), sizeof(struct inner));
	KUNIT_EXPECT_EQ(test, p->value.untyped, TRACE_SIG_NEEDS_TYPE);
}

static void probe_bit_fields(struct kunit *test)
{
	u32 after_num = (offsetof(struct outer, num) + sizeof(int)) * BITS_PER_BYTE;
	struct probe *p = probe_new(test);

	add_pointers(p);
	KUNIT_EXPECT_EQ(test, resolve(p, "o->low"), TRACE_SIG_OK);
	KUNIT_EXPECT_EQ(test, p->value.width, 3);
	KUNIT_EXPECT_EQ(test, p->value.bit, after_num);
	KUNIT_EXPECT_FALSE(test, p->value.is_signed);
	KUNIT_EXPECT_EQ(test, resolve(p, "o->inner.back->high"), TRACE_SIG_OK);
	KUNIT_EXPECT_EQ(test, p->value.width, 7);
	KUNIT_EXPECT_EQ(test, p->value.bit, after_num + 3);
	KUNIT_EXPECT_TRUE(test, p->value.is_signed);
	KUNIT_EXPECT_EQ(test, p->value.nr_derefs, 2);
}

static void probe_errors(struct kunit *test)
{
	struct probe *p = probe_new(test);

	add_pointers(p);
	expect_error(p, "o->none", TRACE_SIG_NO_MEMBER, 3);
	expect_error(p, "o->", TRACE_SIG_NO_MEMBER, 3);
	expect_error(p, "o->inner.", TRACE_SIG_NO_MEMBER, 9);
	expect_error(p, "o->inner.none", TRACE_SIG_NO_MEMBER, 9);
	expect_error(p, "o->num.none", TRACE_SIG_NO_MEMBER, 7);
	expect_error(p, "o->inner->id", TRACE_SIG_NO_POINTER, 10);
	expect_error(p, "o->num->x", TRACE_SIG_NO_POINTER, 8);
	expect_error(p, "o->text->x", TRACE_SIG_NO_POINTER, 9);
	expect_error(p, "o.num", TRACE_SIG_ARROW, 2);
	expect_error(p, "o->next.num", TRACE_SIG_ARROW, 8);
	expect_error(p, "num.x", TRACE_SIG_BY_VALUE, 4);
	expect_error(p, "none.x", TRACE_SIG_BY_VALUE, 5);
	expect_error(p, "o-num", TRACE_SIG_HYPHEN, 1);
	expect_error(p, "o->inner-id", TRACE_SIG_HYPHEN, 8);
	expect_error(p, "o->next-", TRACE_SIG_HYPHEN, 7);
	expect_error(p, "none->x", TRACE_SIG_NO_PARAM, 0);
	expect_error(p, "any->x", TRACE_SIG_NO_POINTER, 5);
	expect_error(p, "to_num->x", TRACE_SIG_NO_POINTER, 8);
	expect_error(p, "num->x", TRACE_SIG_NO_POINTER, 5);
	expect_error(p, "stub->x", TRACE_SIG_NO_MEMBERS, 6);
}

/* A loop of pointers ends at the limit */
static void probe_deep(struct kunit *test)
{
	char expr[2 + (TRACE_SIG_MAX_DEREFS + 1) * 12] = "o";
	struct probe *p = probe_new(test);
	int i;

	add_pointers(p);
	for (i = 0; i < TRACE_SIG_MAX_DEREFS; i += 2)
		strlcat(expr, "->next->back", sizeof(expr));
	KUNIT_EXPECT_EQ(test, resolve(p, expr), TRACE_SIG_OK);
	KUNIT_EXPECT_EQ(test, p->value.nr_derefs, TRACE_SIG_MAX_DEREFS);
	strlcat(expr, "->num", sizeof(expr));
	KUNIT_EXPECT_EQ(test, resolve(p, expr), TRACE_SIG_TOO_DEEP);
}

/* Of functions of this kernel: DWARF and the compiler agree on the structures */
static void probe_image(struct kunit *test)
{
	struct trace_sig_func func = { .site = builder_call_site(vfs_write) };
	struct trace_sig_value value;
	unsigned int where;
	char name[8];

	if (trace_sig_is_missing(func.site))
		kunit_skip(test, "the image's signatures are not loaded");
	KUNIT_ASSERT_NE(test, func.site, 0);
	KUNIT_EXPECT_EQ(test, trace_sig_nr_params(&func), 4);
	KUNIT_EXPECT_TRUE(test, trace_sig_param_name(&func, 2, name, sizeof(name)));
	KUNIT_EXPECT_STREQ(test, name, "count");
	KUNIT_EXPECT_FALSE(test, trace_sig_param_name(&func, 2, name, 5));
	KUNIT_EXPECT_FALSE(test, trace_sig_param_name(&func, 4, name, sizeof(name)));

	KUNIT_EXPECT_EQ(test, trace_sig_find_value(&func, "count", &value, &where),
			TRACE_SIG_OK);
	KUNIT_EXPECT_EQ(test, value.word, 2);
	KUNIT_EXPECT_EQ(test, trace_sig_find_value(&func, "file->f_flags", &value, &where),
			TRACE_SIG_OK);
	KUNIT_EXPECT_EQ(test, value.word, 0);
	KUNIT_EXPECT_EQ(test, value.offsets[0], offsetof(struct file, f_flags));
	KUNIT_EXPECT_EQ(test, value.size, sizeof_field(struct file, f_flags));
	KUNIT_EXPECT_EQ(test, trace_sig_find_value(&func, "file->f_path.dentry->d_name.len",
						   &value, &where), TRACE_SIG_OK);
	KUNIT_EXPECT_EQ(test, value.offsets[0], offsetof(struct file, f_path.dentry));
	KUNIT_EXPECT_EQ(test, value.offsets[1], offsetof(struct dentry, d_name.len));

	func.site++;
	KUNIT_EXPECT_EQ(test, trace_sig_find_value(&func, "file", &value, &where),
			TRACE_SIG_NONE);
	KUNIT_EXPECT_LT(test, trace_sig_nr_params(&func), 0);
}

static struct kunit_case probe_cases[] = {
	KUNIT_CASE(probe_params),
	KUNIT_CASE(probe_variadic),
	KUNIT_CASE(probe_variadic_unknown),
	KUNIT_CASE(probe_unprototyped),
	KUNIT_CASE(probe_hidden),
	KUNIT_CASE(probe_places),
	KUNIT_CASE(probe_wide),
	KUNIT_CASE(probe_members),
	KUNIT_CASE(probe_arrays),
	KUNIT_CASE(probe_bit_fields),
	KUNIT_CASE(probe_errors),
	KUNIT_CASE(probe_deep),
	KUNIT_CASE(probe_image),
	{}
};

static struct kunit_suite probe_suite = {
	.name		= "ftrace_signature_probe",
	.test_cases	= probe_cases,
};

kunit_test_suite(probe_suite);
