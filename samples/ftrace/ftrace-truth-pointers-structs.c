// SPDX-License-Identifier: GPL-2.0
/* Structures of each kind; included by ftrace-truth-pointers.c */

struct truth_inner {
	int		first;
	u8		second;
};

struct truth_outer {
	short			id;
	struct truth_inner	inner;
	const char		*name;
	void			(*call)(unsigned int unused);
	struct truth_outer	*next;
	enum truth_fruit	fruit;
};

static unsigned int truth_depth;

static const char *truth_inner(char *to, const struct truth_inner *inner, unsigned int level)
{
	if (truth_depth < level)
		return "{...}";
	sprintf(to, "{first=%d, second=%u}", inner->first, inner->second);
	return to;
}

static __truth struct truth_inner *truth_p_inner(struct truth_inner *inner)
{
	char shown[64];

	truth_entered("inner=%s", truth_inner(shown, inner, 1));
	truth_returned(" = %s", truth_inner(shown, inner, 1));
	return inner;
}

static __truth void truth_p_outer(const struct truth_outer *outer)
{
	static char name[TRUTH_SHOWN], next[TRUTH_SHOWN];
	char inner[64];

	truth_entered("outer={id=%d, inner=%s, name=%s, call=%s, next=%s, fruit=TRUTH_PEAR}",
		      outer->id, truth_inner(inner, &outer->inner, 2),
		      truth_address(name, outer->name),
		      outer->call == truth_run_strings ?
		      "truth_run_strings [" KBUILD_MODNAME "]" : "NULL",
		      truth_address(next, outer->next));
	truth_returned("");
}

struct truth_anonymous {
	int	kind;
	union {
		u32	number;
		struct {
			u8	low, high;
		};
		s16	pair[2];
	};
};

static __truth void truth_p_anonymous(struct truth_anonymous *anonymous)
{
	const struct truth_anonymous *a = anonymous;

	truth_entered("anonymous={kind=%d, {number=%u, {low=%u, high=%u}, pair={%d, %d}}}",
		      a->kind, a->number, a->low, a->high, a->pair[0], a->pair[1]);
	truth_returned("");
}

union truth_either {
	u16	half;
	s8	byte;
};

static __truth void truth_p_either(const union truth_either *either)
{
	truth_entered("either={half=%u, byte=%d}", either->half, either->byte);
	truth_returned("");
}

struct truth_bits {
	u32			a : 3;
	s32			b : 5;
	u64			wide : 33;
	s64			wider : 40;
	bool			flag : 1;
	u16			last : 13;
};

static __truth void truth_p_bits(struct truth_bits *bits)
{
	char wide[24];

	truth_entered("bits={a=%u, b=%d, wide=%s, wider=%lld, flag=%s, last=%u}", bits->a,
		      bits->b, truth_unsigned(wide, bits->wide), (long long)bits->wider,
		      bits->flag ? "true" : "false", bits->last);
	truth_returned("");
}

struct truth_arrays {
	char			text[8];
	char			full[3];
	u8			bytes[2];
	int			matrix[2][2];
	struct truth_inner	inner[2];
	u32			nr;
	long			flexible[];
};

static __truth void truth_p_arrays(struct truth_arrays *arrays)
{
	const struct truth_arrays *a = arrays;
	char bytes[64], matrix[64], inner[2][64];

	sprintf(bytes, "full={'%c', '%c', '%c'}, bytes={%u, %u}", a->full[0], a->full[1],
		a->full[2], a->bytes[0], a->bytes[1]);
	sprintf(matrix, "{{%d, %d}, {%d, %d}}", a->matrix[0][0], a->matrix[0][1],
		a->matrix[1][0], a->matrix[1][1]);
	truth_entered("arrays={text=\"%s\", %s, matrix=%s, inner={%s, %s}, nr=%u}", a->text,
		      bytes, matrix, truth_inner(inner[0], &a->inner[0], 2),
		      truth_inner(inner[1], &a->inner[1], 2), a->nr);
	truth_returned("");
}

/* 40 members, of which 32 are shown */
struct truth_many {
	u8	m[40];
};

static __truth void truth_p_many(struct truth_many *many)
{
	char text[256];
	int i, n = 0;

	for (i = 0; i < 31; i++)
		n += sprintf(text + n, "%u, ", many->m[i]);
	truth_entered("many={m={%s...}}", text);
	truth_returned("");
}

/* In registers or on the stack, and in a pair of registers, or one, at the return */
static __truth struct truth_inner truth_p_by_value(struct truth_inner inner)
{
	char shown[64];

	truth_entered("inner=%s", truth_inner(shown, &inner, 1));
	inner.first = -inner.first;
	truth_returned(" = %s", truth_inner(shown, &inner, 1));
	return inner;
}

static void truth_run_outer(void)
{
	struct truth_outer outer[2] = {
		{ .id = -1, .inner = { 1, 2 }, .name = "name", .call = truth_run_strings,
		  .next = &outer[1], .fruit = TRUTH_PEAR },
		{ .id = 2, .inner = { -3, 255 }, .next = &outer[0], .fruit = TRUTH_PEAR },
	};

	truth_p_outer(&outer[0]);
	truth_p_outer(&outer[1]);
	/* A circle of one */
	outer[0].next = &outer[0];
	outer[0].name = ERR_PTR(-EIO);
	truth_p_outer(&outer[0]);
	truth_p_inner(&outer[1].inner);
	truth_p_by_value(outer[1].inner);
}

static void truth_run_structs(unsigned int depth)
{
	struct truth_anonymous anonymous = { .kind = 1, .number = 0x8001ff02 };
	struct truth_bits bits = { 5, -3, 0x1ffffffffULL, -0x7fffffffffLL, true, 0x1abc };
	struct truth_arrays arrays = {
		.text = "text", .full = "abc", .bytes = { 1, 255 },
		.matrix = { { 1, 2 }, { -3, 4 } }, .inner = { { 1, 2 }, { 3, 4 } }, .nr = 7,
	};
	union truth_either either = { .half = 0xfffe };
	struct truth_inner *last;
	struct truth_many many;

	truth_depth = depth;
	truth_run_outer();
	truth_p_anonymous(&anonymous);
	truth_p_either(&either);
	truth_p_bits(&bits);
	memset(&bits, 0, sizeof(bits));
	truth_p_bits(&bits);
	truth_p_arrays(&arrays);
	memset(&many, 200, sizeof(many));
	truth_p_many(&many);

	last = (void *)truth_last_page + PAGE_SIZE - sizeof(*last);
	*last = (struct truth_inner){ 11, 12 };
	truth_p_inner(last);
	last = (void *)truth_last_page + 1;
	*last = (struct truth_inner){ 13, 14 };
	truth_p_inner(last);
}
