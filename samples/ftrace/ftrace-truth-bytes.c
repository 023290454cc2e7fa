// SPDX-License-Identifier: GPL-2.0
/*
 * Functions with structures and unions by value.  Up to two words travel in
 * registers, if that many are left.  A larger parameter, or one with unaligned
 * members, goes to the stack; such a result goes to memory that the caller
 * provides (psABI 3.2.3).
 *
 * On x86-32 a parameter travels in registers if it fits in those that are left;
 * after the first one that does not fit, all are on the stack.  A result is in
 * registers if it and each of its members are as large as an integer
 * (-freg-struct-return; gcc's compute_record_mode()).
 */

struct truth_empty { };
struct truth_1 { u8 a; };
struct truth_2 { u16 a; };
struct truth_3 { u8 a[3]; };
struct truth_4 { u16 a; u8 b, c; };
struct truth_5 { u8 a[5]; };
struct truth_6 { u16 a[3]; };
struct truth_7 { u8 a[7]; };
struct truth_8 { u64 a; };
struct truth_9 { u8 a[9]; };
struct truth_12 { u32 a[3]; };
struct truth_16 { u64 a, b; };
struct truth_17 { u8 a[17]; };
struct truth_24 { u64 a; u32 b; void *c; };
struct truth_40 { u64 a[5]; };
struct truth_holes { u8 a; u32 b; u8 c; };
struct truth_pointer { void *p; };
struct truth_wrapped { struct truth_pointer p; };
struct truth_nested { struct truth_3 a; struct { u8 b; struct truth_empty c; } d; u64 e; };
#ifdef __SIZEOF_INT128__
struct truth_wide { __int128 a; };
#define TRUTH_WIDE_BYTES(DO)	DO(wide, struct truth_wide)
#else
#define TRUTH_WIDE_BYTES(DO)
#endif
struct truth_packed { u8 a; u32 b; } __packed;
struct truth_packed_16 { u8 a; u64 b; u32 c; u16 d; u8 e; } __packed;
struct truth_packed_aligned { u32 a; u8 b; } __packed;
union truth_union { u8 a; u16 b[3]; u32 c; };
union truth_union_16 { u8 a[11]; u64 b; };
union truth_union_24 { u8 a[24]; u64 b; };

struct truth_bits {
	u32 a : 3;
	s32 b : 7;
	u32: 0;
	u32 c : 31;
	u64 d : 5;
};

typedef struct {
	int counter;
} truth_anonymous;

/*
 * A parameter, and a result of the same type: name, type.
 * The parameter stands between two others, so that it shifts their places.
 */
#define TRUTH_BYTES_TYPES(DO)						\
	DO(empty, struct truth_empty)					\
	DO(1, struct truth_1)						\
	DO(2, struct truth_2)						\
	DO(3, struct truth_3)						\
	DO(4, struct truth_4)						\
	DO(5, struct truth_5)						\
	DO(6, struct truth_6)						\
	DO(7, struct truth_7)						\
	DO(8, struct truth_8)						\
	DO(9, struct truth_9)						\
	DO(12, struct truth_12)						\
	DO(16, struct truth_16)						\
	DO(pointer, struct truth_pointer)				\
	DO(wrapped, struct truth_wrapped)				\
	TRUTH_WIDE_BYTES(DO)						\
	DO(packed_aligned, struct truth_packed_aligned)			\
	DO(union, union truth_union)					\
	DO(union_16, union truth_union_16)				\
	DO(anonymous, truth_anonymous)

#define TRUTH_MEMORY_TYPES(DO)						\
	DO(17, struct truth_17)						\
	DO(24, struct truth_24)						\
	DO(40, struct truth_40)						\
	DO(packed, struct truth_packed)					\
	DO(packed_16, struct truth_packed_16)				\
	DO(union_24, union truth_union_24)

/* Whether a result of one of the types above is returned in memory all the same */
#define TRUTH_IN_MEMORY(type)						\
	(TRUTH_PLACE(false, (sizeof(type) != 1 && sizeof(type) != 2 &&	\
			     sizeof(type) != 4 && sizeof(type) != 8) ||	\
		     __builtin_types_compatible_p(type, union truth_union)))
#define TRUTH_RESULT_KIND(type)						\
	(sizeof(type) && TRUTH_IN_MEMORY(type) ? TRUTH_MEMORY : TRUTH_BYTES)

#define TRUTH_DEFINE_BYTES(function, type)				\
static __truth type TRUTH(bytes_##function)(s16 first, type value, s8 last) \
{									\
	truth_in(SINT(first), BYTES(value), SINT(last));		\
	return truth_result_bytes(type, TRUTH_RESULT_KIND(type));	\
}

#define TRUTH_DEFINE_MEMORY(function, type)				\
static __truth type TRUTH(memory_##function)(s16 first, type value, s8 last) \
{									\
	truth_in(SINT(first), BYTES(value), SINT(last));		\
	return truth_result_bytes(type, TRUTH_MEMORY);			\
}

TRUTH_BYTES_TYPES(TRUTH_DEFINE_BYTES)
TRUTH_MEMORY_TYPES(TRUTH_DEFINE_MEMORY)

struct truth_16 TRUTH(pair)(const struct truth_12 a, u8 b, union truth_union c);

__truth struct truth_16 TRUTH(pair)(const struct truth_12 a, u8 b,
				    union truth_union c)
{
	truth_in(BYTES(a), UINT(b), BYTES(c));
	return truth_result_bytes(struct truth_16,
				  TRUTH_RESULT_KIND(struct truth_16));
}

/*
 * A parameter arrives with arbitrary padding, and tracers show that.  The padding
 * of a result may still change when it is put into the registers, after it was
 * noted: so no result here has padding.
 */
static __truth int TRUTH(padded)(struct truth_holes a, s8 b,
				 struct truth_nested c, struct truth_bits d)
{
	truth_in(BYTES(a), SINT(b), BYTES(c), BYTES(d));
	return truth_result(int, TRUTH_SIGNED);
}

static __truth void TRUTH(padded_in_registers)(struct truth_bits a, u16 b,
					       struct truth_nested c)
{
	truth_in(BYTES(a), UINT(b), BYTES(c));
	truth_out();
}

/* One register is left: two words go to the stack, @g takes the register */
static __truth int TRUTH(skips)(long a, long b, long c, long d, long e,
				struct truth_16 f, int g, struct truth_3 h)
{
	truth_in(SINT(a), SINT(b), SINT(c), SINT(d), SINT(e), BYTES(f), SINT(g),
		 BYTES(h));
	return truth_result(int, TRUTH_SIGNED);
}

/* The same with two that skip the register, and one between them that takes it */
static __truth void TRUTH(skips_twice)(u64 a, u64 b, u64 c, u64 d, u64 e,
				       struct truth_12 f, struct truth_9 g,
				       struct truth_5 h, struct truth_2 i)
{
	truth_in(UINT(a), UINT(b), UINT(c), UINT(d), UINT(e), BYTES(f),
		 BYTES(g), BYTES(h), BYTES(i));
	truth_out();
}

/* A parameter in memory leaves all registers to the others */
static __truth void TRUTH(around_memory)(struct truth_24 a, u8 b,
					 struct truth_packed c, s64 d,
					 struct truth_17 e, bool f)
{
	truth_in(BYTES(a), UINT(b), BYTES(c), SINT(d), BYTES(e), BOOL(f));
	truth_out();
}

static __truth void TRUTH(all_registers)(struct truth_16 a, struct truth_9 b,
					 struct truth_12 c, struct truth_1 d,
					 struct truth_empty e, struct truth_8 f)
{
	truth_in(BYTES(a), BYTES(b), BYTES(c), BYTES(d), BYTES(e), BYTES(f));
	truth_out();
}

#ifdef __SIZEOF_INT128__
/* An aligned structure on the stack begins at an even word */
static __truth void TRUTH(aligned)(long a, long b, long c, long d, long e,
				   long f, s8 g, struct truth_wide h, s8 i)
{
	truth_in(SINT(a), SINT(b), SINT(c), SINT(d), SINT(e), SINT(f), SINT(g),
		 BYTES(h), SINT(i));
	truth_out();
}
#endif

/* The caller's buffer takes the first register, the others move by one */
static __truth struct truth_40 TRUTH(hidden)(u8 a, long b, struct truth_12 c,
					     int d, u16 e)
{
	truth_in(UINT(a), SINT(b), BYTES(c), SINT(d), UINT(e));
	return truth_result_bytes(struct truth_40, TRUTH_MEMORY);
}

static __truth struct truth_24 TRUTH(hidden_none)(void)
{
	truth_in_none();
	return truth_result_bytes(struct truth_24, TRUTH_MEMORY);
}

/* In registers on both architectures: see truth_call_words() */
typedef TRUTH_PLACE(struct truth_9, struct truth_8) truth_returned;

static __truth truth_returned TRUTH(bytes_variadic)(struct truth_3 a,
						    const char *fmt, ...)
{
	truth_in_variadic(BYTES(a), PTR(fmt));
	return truth_result_bytes(truth_returned, TRUTH_BYTES);
}

/* On x86-32, all of it is on the stack */
static asmlinkage __truth truth_returned
TRUTH(bytes_from_assembly)(struct truth_3 a, struct truth_12 b, u16 c)
{
	truth_in(BYTES(a), BYTES(b), UINT(c));
	return truth_result_bytes(truth_returned, TRUTH_BYTES);
}

#define TRUTH_ENTRY_BYTES(function, type)				\
	{ .call = TRUTH(bytes_##function), .hidden = TRUTH_IN_MEMORY(type) },
#define TRUTH_ENTRY_MEMORY(function, type)				\
	{ .call = TRUTH(memory_##function), .hidden = true },

static const struct truth_function truth_bytes[] = {
	TRUTH_BYTES_TYPES(TRUTH_ENTRY_BYTES)
	TRUTH_MEMORY_TYPES(TRUTH_ENTRY_MEMORY)
	{ .call = TRUTH(pair), .hidden = TRUTH_IN_MEMORY(struct truth_16) },
	{ .call = TRUTH(padded) },
	{ .call = TRUTH(padded_in_registers) },
	{ .call = TRUTH(skips) },
	{ .call = TRUTH(skips_twice) },
	{ .call = TRUTH(around_memory), .bools = BIT(TRUTH_PLACE(2, 17)) },
	{ .call = TRUTH(all_registers) },
#ifdef __SIZEOF_INT128__
	/* It may be packed, which only DWARF tells, and not with KASAN */
	{ .call = TRUTH(aligned), .may_hide = IS_ENABLED(CONFIG_KASAN) },
#endif
	{ .call = TRUTH(hidden), .hidden = true },
	{ .call = TRUTH(hidden_none), .hidden = true },
	{ .call = TRUTH(bytes_variadic) },
	{ .call = TRUTH(bytes_from_assembly) },
};
