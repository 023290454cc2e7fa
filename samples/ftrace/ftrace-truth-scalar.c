// SPDX-License-Identifier: GPL-2.0
/*
 * Functions whose parameters and results are numbers or addresses.  Each notes
 * what it receives before it does anything else.
 */

enum truth_colour {
	TRUTH_RED,
	TRUTH_GREEN = 2,
	TRUTH_VERDE = 2,		/* a second name is never shown */
	TRUTH_BLUE = 0x7f,
	TRUTH_LAST = 0x80000000,
};

enum truth_level {
	TRUTH_LOWEST = -2,
	TRUTH_LOW,
	TRUTH_MIDDLE,
	TRUTH_HIGH,
	TRUTH_NOENT = -512,
};

enum truth_small {
	TRUTH_SMALL_MINUS = -1,
	TRUTH_SMALL_ZERO,
	TRUTH_SMALL_MAX = 127,
} __packed;

enum truth_large {
	TRUTH_LARGE_ZERO,
	TRUTH_LARGE_BIT32 = 0x100000000ULL,
	TRUTH_LARGE_BIT63 = 0x8000000000000000ULL,
	TRUTH_LARGE_MAX = 0xffffffffffffffffULL,
};

enum truth_abyss {
	TRUTH_ABYSS_ONE = 1,
	TRUTH_ABYSS_TOP = 0x7fffffffffffffffLL,
	TRUTH_ABYSS_MINUS = -1,
	TRUTH_ABYSS_BOTTOM = -0x7fffffffffffffffLL - 1,
};

#define TRUTH_NAME(x)	{ #x, (s64)(x) }

static const struct truth_enum truth_colours = {
	.names = (const struct truth_name []) {
		TRUTH_NAME(TRUTH_RED), TRUTH_NAME(TRUTH_GREEN),
		TRUTH_NAME(TRUTH_VERDE), TRUTH_NAME(TRUTH_BLUE),
		TRUTH_NAME(TRUTH_LAST), { }
	},
};

static const struct truth_enum truth_levels = {
	.is_signed = true,
	.names = (const struct truth_name []) {
		TRUTH_NAME(TRUTH_LOWEST), TRUTH_NAME(TRUTH_LOW),
		TRUTH_NAME(TRUTH_MIDDLE), TRUTH_NAME(TRUTH_HIGH),
		TRUTH_NAME(TRUTH_NOENT), { }
	},
};

static const struct truth_enum truth_smalls = {
	.is_signed = true,
	.names = (const struct truth_name []) {
		TRUTH_NAME(TRUTH_SMALL_MINUS), TRUTH_NAME(TRUTH_SMALL_ZERO),
		TRUTH_NAME(TRUTH_SMALL_MAX), { }
	},
};

static const struct truth_enum truth_larges = {
	.names = (const struct truth_name []) {
		TRUTH_NAME(TRUTH_LARGE_ZERO), TRUTH_NAME(TRUTH_LARGE_BIT32),
		TRUTH_NAME(TRUTH_LARGE_BIT63), TRUTH_NAME(TRUTH_LARGE_MAX), { }
	},
};

static const struct truth_enum truth_abysses = {
	.is_signed = true,
	.names = (const struct truth_name []) {
		TRUTH_NAME(TRUTH_ABYSS_ONE), TRUTH_NAME(TRUTH_ABYSS_TOP),
		TRUTH_NAME(TRUTH_ABYSS_MINUS), TRUTH_NAME(TRUTH_ABYSS_BOTTOM),
		{ }
	},
};

struct truth_undefined;

typedef int (*truth_callback)(void *data);
typedef int truth_function_type(void *data);
typedef pid_t truth_thread;
typedef gfp_t truth_flags;
typedef truth_flags truth_flags_again;
typedef umode_t truth_permissions;
typedef dev_t truth_device;
typedef u64 truth_large_number;
typedef bool truth_flag;

/*
 * One parameter, result of the same type: name, type, kind.
 */
#define TRUTH_SAME_TYPES(DO)						\
	DO(char, char, CHAR)						\
	DO(signed_char, signed char, SIGNED)				\
	DO(unsigned_char, unsigned char, UNSIGNED)			\
	DO(s8, s8, SIGNED)						\
	DO(u8, u8, UNSIGNED)						\
	DO(s16, s16, SIGNED)						\
	DO(u16, u16, UNSIGNED)						\
	DO(s32, s32, SIGNED)						\
	DO(u32, u32, UNSIGNED)						\
	DO(s64, s64, SIGNED)						\
	DO(u64, u64, UNSIGNED)						\
	DO(short, short, SIGNED)					\
	DO(unsigned_short, unsigned short, UNSIGNED)			\
	DO(int, int, SIGNED)						\
	DO(unsigned_int, unsigned int, UNSIGNED)			\
	DO(long, long, SIGNED)						\
	DO(unsigned_long, unsigned long, UNSIGNED)			\
	DO(long_long, long long, SIGNED)				\
	DO(unsigned_long_long, unsigned long long, UNSIGNED)		\
	DO(size, size_t, UNSIGNED)					\
	DO(ssize, ssize_t, SIGNED)					\
	DO(loff, loff_t, SIGNED)					\
	DO(large_number, truth_large_number, UNSIGNED)			\
	DO(pointer, void *, POINTER)					\
	DO(string, const char *, POINTER)				\
	DO(undefined, struct truth_undefined *, POINTER)		\
	DO(pointer_to_pointer, int **, POINTER)				\
	DO(pointer_to_callback, truth_callback *, POINTER)		\
	DO(callback, truth_callback, FUNCTION)				\
	DO(function_type, truth_function_type *, FUNCTION)		\
	DO(pid, pid_t, SIGNED)						\
	DO(thread, truth_thread, SIGNED)				\
	DO(gfp, gfp_t, GFP)						\
	DO(flags, truth_flags_again, GFP)				\
	DO(umode, umode_t, MODE)					\
	DO(permissions, truth_permissions, MODE)			\
	DO(dev, dev_t, DEV)						\
	DO(device, truth_device, DEV)

#define TRUTH_DEFINE_SAME(function, type, kind)				\
static __truth type TRUTH(function)(type value)				\
{									\
	truth_in(TRUTH_VALUE(value, TRUTH_##kind));			\
	return truth_result(type, TRUTH_##kind);			\
}

TRUTH_SAME_TYPES(TRUTH_DEFINE_SAME)

/*
 * Enumerations: name, type, table.
 */
#define TRUTH_ENUM_TYPES(DO)						\
	DO(colour, enum truth_colour, truth_colours)			\
	DO(level, enum truth_level, truth_levels)			\
	DO(small, enum truth_small, truth_smalls)			\
	DO(large, enum truth_large, truth_larges)			\
	DO(abyss, enum truth_abyss, truth_abysses)

#define TRUTH_DEFINE_ENUM(function, type, table)			\
static __truth type TRUTH(function)(type value, const type again)	\
{									\
	truth_in(ENUM(value, table), ENUM(again, table));		\
	return truth_result_enum(type, table);				\
}

TRUTH_ENUM_TYPES(TRUTH_DEFINE_ENUM)

void TRUTH(nothing)(void);
void TRUTH(integers)(s8 a, u8 b, s16 c, u16 d, s32 e, u32 f);
int TRUTH(several)(const char *name, bool on, char c, u16 n, long l, void *p);
ssize_t TRUTH(on_stack)(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, int g);

__truth void TRUTH(nothing)(void)
{
	truth_in_none();
	truth_out();
}

static __truth long TRUTH(no_parameters)(void)
{
	truth_in_none();
	return truth_result(long, TRUTH_SIGNED);
}

static __truth bool TRUTH(bool)(bool value)
{
	truth_in(BOOL(value));
	return truth_result(bool, TRUTH_BOOL);
}

static __truth truth_flag TRUTH(flag)(const truth_flag value, bool again)
{
	truth_in(BOOL(value), BOOL(again));
	return truth_result(truth_flag, TRUTH_BOOL);
}

__truth void TRUTH(integers)(s8 a, u8 b, s16 c, u16 d, s32 e, u32 f)
{
	truth_in(SINT(a), UINT(b), SINT(c), UINT(d), SINT(e), UINT(f));
	truth_out();
}

static __truth void TRUTH(longs)(s64 a, u64 b, long c, unsigned long d,
				 long long e, unsigned long long f)
{
	truth_in(SINT(a), UINT(b), SINT(c), UINT(d), SINT(e), UINT(f));
	truth_out();
}

__truth int TRUTH(several)(const char *name, bool on, char c, u16 n, long l,
			   void *p)
{
	truth_in(PTR(name), BOOL(on), CHAR(c), UINT(n), SINT(l), PTR(p));
	return truth_result(int, TRUTH_SIGNED);
}

/* Parameters that are changed before anything else is done with them */
static __truth int TRUTH(changed)(int value, unsigned long *p)
{
	truth_in(SINT(value), PTR(p));
	value += 3;
	p = NULL;
	barrier_data(&value);
	barrier_data(&p);
	return truth_result(int, TRUTH_SIGNED);
}

static __truth void TRUTH(qualified)(const int a, volatile u32 b,
				     const volatile s8 c, void *const d,
				     const char *restrict e)
{
	truth_in(SINT(a), UINT(b), SINT(c), PTR(d), PTR(e));
	truth_out();
}

/* Arrays and functions as parameters are pointers; a pointer to an array too */
static __truth void TRUTH(decayed)(int array[4], const char (*rows)[8],
				   int function(void *data), void __user *buf)
{
	truth_in(PTR(array), PTR(rows), FUNC(function), PTR(buf));
	truth_out();
}

#ifdef __SIZEOF_INT128__
static __truth __int128 TRUTH(wide)(__int128 value, int a, unsigned __int128 b,
				    s8 c)
{
	truth_in(WIDE(value), SINT(a), UWIDE(b), SINT(c));
	return truth_result_bytes(__int128, TRUTH_WIDE);
}

static __truth unsigned __int128 TRUTH(unsigned_wide)(u8 a, unsigned __int128 value)
{
	truth_in(UINT(a), UWIDE(value));
	return truth_result_bytes(unsigned __int128, TRUTH_UWIDE);
}

/* One register is left: @b goes to the stack whole, @c takes the register */
static __truth void TRUTH(wide_skips)(long a1, long a2, long a3, long a4,
				      long a5, __int128 b, int c, u8 d)
{
	truth_in(SINT(a1), SINT(a2), SINT(a3), SINT(a4), SINT(a5), WIDE(b),
		 SINT(c), UINT(d));
	truth_out();
}

/* On the stack, an __int128 begins at an even word */
static __truth int TRUTH(wide_on_stack)(long a, long b, long c, long d, long e,
					long f, u8 g, unsigned __int128 h,
					__int128 i, s16 j)
{
	truth_in(SINT(a), SINT(b), SINT(c), SINT(d), SINT(e), SINT(f), UINT(g),
		 UWIDE(h), WIDE(i), SINT(j));
	return truth_result(int, TRUTH_SIGNED);
}
#endif

/* A number of two words has both in registers, or both on the stack (x86-32) */
static __truth s64 TRUTH(two_words)(s16 a, u64 b, u8 c)
{
	truth_in(SINT(a), UINT(b), UINT(c));
	return truth_result(s64, TRUTH_SIGNED);
}

static __truth u64 TRUTH(two_words_skip)(u8 a, s16 b, s64 c, int d)
{
	truth_in(UINT(a), SINT(b), SINT(c), SINT(d));
	return truth_result(u64, TRUTH_UNSIGNED);
}

/* Functions called by assembly get all parameters on the stack (x86-32) */
static asmlinkage __truth loff_t TRUTH(from_assembly)(int a, u64 b, bool c, s8 d,
						      void *e)
{
	truth_in(SINT(a), UINT(b), BOOL(c), SINT(d), PTR(e));
	return truth_result(loff_t, TRUTH_SIGNED);
}

__truth ssize_t TRUTH(on_stack)(u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, int g)
{
	truth_in(UINT(a), UINT(b), UINT(c), UINT(d), UINT(e), UINT(f), SINT(g));
	return truth_result(ssize_t, TRUTH_SIGNED);
}

static __truth void TRUTH(eight)(u8 a, s8 b, u16 c, s16 d, u32 e, s32 f, u8 g,
				 s8 h)
{
	truth_in(UINT(a), SINT(b), UINT(c), SINT(d), UINT(e), SINT(f), UINT(g),
		 SINT(h));
	truth_out();
}

/* Every kind of scalar in a word of the stack */
static __truth int TRUTH(many)(long a, long b, long c, long d, long e, long f,
			       s8 g, u8 h, s16 i, u16 j, s32 k, u32 l, bool m,
			       char n, s64 o, void *p, enum truth_small q,
			       truth_callback r)
{
	truth_in(SINT(a), SINT(b), SINT(c), SINT(d), SINT(e), SINT(f), SINT(g),
		 UINT(h), SINT(i), UINT(j), SINT(k), UINT(l), BOOL(m), CHAR(n),
		 SINT(o), PTR(p), ENUM(q, truth_smalls), FUNC(r));
	return truth_result(int, TRUTH_SIGNED);
}

/* Two words more than tracers look at, or five */
static_assert(TRUTH_STACK - FTRACE_SIG_MAX_STACK == TRUTH_PLACE(2, 5));
#define FAR_SINT(x)	TRUTH_PLACE(SINT(x), BEYOND(x))

static __truth void TRUTH(too_many)(long a, long b, long c, long d, long e,
				    long f, int s0, int s1, int s2, int s3,
				    int s4, int s5, int s6, int s7, int s8_,
				    int s9, int s10, int s11, int s12, int s13,
				    int s14, int s15, int s16_, int s17,
				    int s18, int s19, int s20, int s21,
				    int s22, int s23, int s24, int s25)
{
	truth_in(SINT(a), SINT(b), SINT(c), SINT(d), SINT(e), SINT(f),
		 SINT(s0), SINT(s1), SINT(s2), SINT(s3), SINT(s4), SINT(s5),
		 SINT(s6), SINT(s7), SINT(s8_), SINT(s9), SINT(s10), SINT(s11),
		 SINT(s12), SINT(s13), SINT(s14), SINT(s15), SINT(s16_),
		 SINT(s17), SINT(s18), SINT(s19), SINT(s20), FAR_SINT(s21),
		 FAR_SINT(s22), FAR_SINT(s23), BEYOND(s24), BEYOND(s25));
	truth_out();
}

static __truth int TRUTH(variadic)(const char *fmt, ...)
{
	truth_in_variadic(PTR(fmt));
	return truth_result(int, TRUTH_SIGNED);
}

static __truth void TRUTH(variadic_on_stack)(u8 a, s16 b, u32 c, long d,
					     bool e, void *f, s8 g, u64 h, ...)
{
	truth_in_variadic(UINT(a), SINT(b), UINT(c), SINT(d), BOOL(e), PTR(f),
			  SINT(g), UINT(h));
	truth_out();
}

static __truth int TRUTH(by_typedef)(truth_thread thread, gfp_t gfp,
				     umode_t mode, dev_t dev, const gfp_t also,
				     truth_permissions permissions,
				     truth_device device)
{
	truth_in(SINT(thread), GFP(gfp), MODE(mode), DEV(dev), GFP(also),
		 MODE(permissions), DEV(device));
	return truth_result(int, TRUTH_SIGNED);
}

/* In an unsigned type, an error is a number like any other */
static __truth unsigned int TRUTH(no_errno)(enum truth_level level, u16 n)
{
	truth_in(ENUM(level, truth_levels), UINT(n));
	return truth_result(unsigned int, TRUTH_UNSIGNED);
}

#define TRUTH_ENTRY_SAME(function, type, kind)	{ .call = TRUTH(function) },
#define TRUTH_ENTRY_ENUM(function, type, table)	{ .call = TRUTH(function) },

static const struct truth_function truth_scalars[] = {
	TRUTH_SAME_TYPES(TRUTH_ENTRY_SAME)
	TRUTH_ENUM_TYPES(TRUTH_ENTRY_ENUM)
	{ .call = TRUTH(nothing) },
	{ .call = TRUTH(no_parameters) },
	{ .call = TRUTH(bool), .bools = BIT(0) },
	{ .call = TRUTH(flag), .bools = BIT(0) | BIT(1) },
	{ .call = TRUTH(integers) },
	{ .call = TRUTH(longs) },
	{ .call = TRUTH(several), .bools = BIT(1) },
	{ .call = TRUTH(changed) },
	{ .call = TRUTH(qualified) },
	{ .call = TRUTH(decayed) },
#ifdef __SIZEOF_INT128__
	{ .call = TRUTH(wide) },
	{ .call = TRUTH(unsigned_wide) },
	{ .call = TRUTH(wide_skips) },
	{ .call = TRUTH(wide_on_stack) },
#endif
	{ .call = TRUTH(two_words) },
	{ .call = TRUTH(two_words_skip) },
	{ .call = TRUTH(from_assembly), .bools = BIT(TRUTH_PLACE(2, 6)) },
	{ .call = TRUTH(on_stack) },
	{ .call = TRUTH(eight) },
	{ .call = TRUTH(many), .bools = BIT(12) },
	{ .call = TRUTH(too_many) },
	{ .call = TRUTH(variadic) },
	{ .call = TRUTH(variadic_on_stack), .bools = BIT(TRUTH_PLACE(4, 7)) },
	{ .call = TRUTH(by_typedef) },
	{ .call = TRUTH(no_errno) },
};
