/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that tell what they really received and what they really return,
 * so that a tracer which shows arguments and results can be compared with the
 * truth, line by line.
 *
 * The same source is compiled twice: into the image, where its functions are
 * called truth_v_*, and as the module ftrace-truth, where they are called
 * truth_m_*.  Each copy has a directory in debugfs, ftrace-truth-image and
 * ftrace-truth-module, with three files:
 *
 *	run	takes one command; the write returns when all calls are done:
 *		  known		every function with every known edge value
 *		  random SEED N	every function N times, with random words
 *		  nested SEED N	functions that call functions, N times
 *		  clones SEED N	functions that the optimizer changes
 *		  irq SEED N	from a hard and a soft interrupt, which arrive
 *				while a function of this file runs
 *		  storm SEED N	as random, while a timer's interrupts call the
 *				same functions; the order of calls is open
 *		  nmi SEED N	from an NMI, which arrives while a function of
 *				this file runs
 *		  nmistorm SEED N
 *				as random, while NMIs from another CPU call the
 *				same functions; the order of calls is open
 *		  clear		forget the notes
 *	notes	what was noted, in the order of the calls:
 *		  > name(parameters)	a function was entered
 *		  < name = result	it is about to return; "< name" for void
 *		The text is what function_graph is specified to print.
 *		A last line "! N notes lost" tells that there was no room.
 *	may_hide
 *		functions as they are built here that may show "?" for the value
 *		of a parameter, a name a line; of all others it is known
 *
 * Notes are written by plain code of this sample, which shares nothing with
 * the code that prints traces.
 */
#ifndef _SAMPLES_FTRACE_TRUTH_H
#define _SAMPLES_FTRACE_TRUTH_H

#include <linux/compiler.h>
#include <linux/types.h>

/*
 * A function whose address is taken keeps its calling convention; no clone
 * is made for direct calls and no other function is folded into it, so one
 * call is one line in the trace.
 */
#define __truth		noinline __noclone __attribute__((__no_icf__))

/* Functions that take notes are neither traced nor noted themselves */
#define __truth_note	noinline notrace __noclone

/**
 * enum truth_kind - how a value is written
 * @TRUTH_SIGNED: decimal; a result from -4095 to -2 its errno name, too
 * @TRUTH_UNSIGNED: decimal; hexadecimal if it has 8 bytes and needs over four
 * @TRUTH_BOOL: true or false
 * @TRUTH_CHAR: quoted if it is printable ASCII, but for quote and backslash
 * @TRUTH_WIDE: 128 bits with a sign, hexadecimal
 * @TRUTH_UWIDE: 128 bits without a sign, hexadecimal
 * @TRUTH_ENUM: name of the enumerator
 * @TRUTH_POINTER: NULL, an error pointer or hexadecimal
 * @TRUTH_FUNCTION: as a pointer, but a function's name instead of its address
 * @TRUTH_GFP: names of flags
 * @TRUTH_MODE: type and permissions of a file
 * @TRUTH_DEV: major and minor number
 * @TRUTH_BYTES: a structure or union: its words
 * @TRUTH_MEMORY: a result that is returned in memory: nobody reads it
 * @TRUTH_BEYOND: a parameter farther up the stack than tracers look
 */
enum truth_kind {
	TRUTH_SIGNED,
	TRUTH_UNSIGNED,
	TRUTH_BOOL,
	TRUTH_CHAR,
	TRUTH_WIDE,
	TRUTH_UWIDE,
	TRUTH_ENUM,
	TRUTH_POINTER,
	TRUTH_FUNCTION,
	TRUTH_GFP,
	TRUTH_MODE,
	TRUTH_DEV,
	TRUTH_BYTES,
	TRUTH_MEMORY,
	TRUTH_BEYOND,
};

/**
 * struct truth_name - an enumerator
 * @name: as in the source; NULL ends an array of them
 * @value: extended to 64 bits
 */
struct truth_name {
	const char *name;
	s64 value;
};

/**
 * struct truth_enum - an enumeration
 * @is_signed: whether its values have a sign
 * @names: its enumerators in the order of the source
 */
struct truth_enum {
	bool is_signed;
	const struct truth_name *names;
};

/**
 * struct truth_value - a value that was received or is returned
 * @name: name of the parameter; NULL for a result
 * @data: where the value is, in the layout of its type
 * @of: the enumeration, if @kind is TRUTH_ENUM
 * @size: bytes at @data
 * @kind: how to write it
 */
struct truth_value {
	const char *name;
	const void *data;
	const struct truth_enum *of;
	unsigned int size;
	enum truth_kind kind;
};

#define TRUTH_VALUE(x, k)	{ .name = #x, .data = (const void *)&(x), \
				  .size = sizeof(typeof(x)), .kind = (k) }
#define SINT(x)		TRUTH_VALUE(x, TRUTH_SIGNED)
#define UINT(x)		TRUTH_VALUE(x, TRUTH_UNSIGNED)
#define BOOL(x)		TRUTH_VALUE(x, TRUTH_BOOL)
#define CHAR(x)		TRUTH_VALUE(x, TRUTH_CHAR)
#define WIDE(x)		TRUTH_VALUE(x, TRUTH_WIDE)
#define UWIDE(x)	TRUTH_VALUE(x, TRUTH_UWIDE)
#define PTR(x)		TRUTH_VALUE(x, TRUTH_POINTER)
#define FUNC(x)		TRUTH_VALUE(x, TRUTH_FUNCTION)
#define GFP(x)		TRUTH_VALUE(x, TRUTH_GFP)
#define MODE(x)		TRUTH_VALUE(x, TRUTH_MODE)
#define DEV(x)		TRUTH_VALUE(x, TRUTH_DEV)
#define BYTES(x)	TRUTH_VALUE(x, TRUTH_BYTES)
#define BEYOND(x)	TRUTH_VALUE(x, TRUTH_BEYOND)
#define ENUM(x, e)	{ .name = #x, .data = (const void *)&(x), .of = &(e), \
			  .size = sizeof(x), .kind = TRUTH_ENUM }

/*
 * The value of a parameter that the optimizer may remove: the caller tells it
 * through memory, see truth_told[].  Mentioning the parameter would keep it.
 */
#define TOLD(n, slot, type, k)	{ .name = #n, .data = &truth_told[slot], \
				  .size = sizeof(type), .kind = (k) }

/*
 * Note the parameters of the function in which this stands.  The barrier
 * keeps the call from becoming a jump, which would hide the caller's name.
 */
#define truth_in(...)							\
do {									\
	const struct truth_value __values[] = { __VA_ARGS__ };		\
									\
	truth_note_entry(__values, ARRAY_SIZE(__values), false);	\
	barrier();							\
} while (0)

/* The same for a function with "..." behind its parameters */
#define truth_in_variadic(...)						\
do {									\
	const struct truth_value __values[] = { __VA_ARGS__ };		\
									\
	truth_note_entry(__values, ARRAY_SIZE(__values), true);		\
	barrier();							\
} while (0)

#define truth_in_none()							\
do {									\
	truth_note_entry(NULL, 0, false);				\
	barrier();							\
} while (0)

/* Note that a function without a result returns */
#define truth_out()							\
do {									\
	truth_note_return(NULL);					\
	barrier();							\
} while (0)

/* Note a result that was computed, and give it back */
#define truth_out_value(x, k)						\
({									\
	typeof(x) __x = (x);						\
	const struct truth_value __value = {				\
		.data = &__x, .size = sizeof(__x), .kind = (k)		\
	};								\
									\
	truth_note_return(&__value);					\
	__x;								\
})

/* What the type's register, or pair of registers, holds */
#define truth_word_of(type)						\
	typeof(__builtin_choose_expr(sizeof(type) > sizeof(long), 0ULL, 0UL))

/*
 * Make a result of a scalar type that fits one register, or two, and note it.  The asm
 * leaves garbage in the bits of the register that are not part of the type, as any
 * function may: a tracer that looks at them shows a wrong value.
 */
#define __truth_result(type, k, e)					\
({									\
	union { type value; truth_word_of(type) word; } __u;		\
	const struct truth_value __value = {				\
		.data = &__u, .of = (e), .size = sizeof(type), .kind = (k) \
	};								\
	type __result;							\
									\
	__u.word = truth_result_word(0);				\
	if ((k) == TRUTH_BOOL)						\
		__u.word &= ~(typeof(__u.word))0xfe;			\
	truth_note_return(&__value);					\
	asm volatile("" : "=r" (__result) : "0" (__u.word));		\
	__result;							\
})

#define truth_result(type, k)		__truth_result(type, k, NULL)
#define truth_result_enum(type, e)	__truth_result(type, TRUTH_ENUM, &(e))

/* The same for a type of any size */
#define truth_result_bytes(type, k)					\
({									\
	type __result;							\
	const struct truth_value __value = {				\
		.data = &__result, .size = sizeof(type), .kind = (k)	\
	};								\
									\
	truth_result_fill(&__result, sizeof(type));			\
	truth_note_return(&__value);					\
	__result;							\
})

/*
 * Functions are called with words: registers first, then the stack.  A function
 * does not see words beyond its parameters.  If a type is narrower than a word, the
 * rest of the word holds garbage, as the psABI allows.
 *
 * TRUTH_PLACE() tells which word holds something, where that is not the same on
 * both architectures.
 */
#ifdef CONFIG_X86_32
#define TRUTH_REGS	3
#define TRUTH_PLACE(x86_64, x86_32)	x86_32
#else
#define TRUTH_REGS	6
#define TRUTH_PLACE(x86_64, x86_32)	x86_64
#endif
#define TRUTH_WORDS	32
#define TRUTH_STACK	(TRUTH_WORDS - TRUTH_REGS)

/**
 * struct truth_function - a function that can be called with any words
 * @call: its address
 * @bools: mask of the words that are a bool, of which the ABI demands 0 or 1
 *	in the lowest byte
 * @hidden: the first word is the address at which the result is wanted
 * @may_hide: where its parameters are may not be known
 */
struct truth_function {
	void *call;
	u32 bools;
	bool hidden;
	bool may_hide;
};

#endif /* _SAMPLES_FTRACE_TRUTH_H */
