/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The binary format of function signatures.  scripts/recordmcount writes it, and
 * kernel/trace/signature reads it.  Both include this file, so it uses only types
 * of a fixed size.
 *
 * A table is one block of memory in the byte order of the kernel:
 *
 *	struct ftrace_sig_header
 *	ips	one per call site, see below
 *	sigs	__u32 per call site: byte offset of its prototype in "protos"
 *	protos	struct ftrace_sig_proto and what follows each of them
 *	types	__u32 words; a type's id is the index of its first word
 *	strings	NUL-terminated; offset 0 is the empty string; no control
 *		characters, because these would break the printed lines
 *
 * Every part starts at a multiple of four bytes, and the size of the table is a
 * multiple of eight.  The checksum covers everything but "ips", because the linker
 * or the module loader relocates these.
 *
 * There are three kinds of table.  Each object file carries one in the section
 * FTRACE_SIG_OBJECT_SECTION, which is not loaded; its ips are __u64 absolute
 * addresses, and a linker that concatenates such sections gets a sequence of
 * tables.  The link step merges that sequence into the one table which the
 * kernel image or the module carries in FTRACE_SIG_TABLE_SECTION, and whose
 * ips are __s32, relative to their own place, and sorted in the image.
 *
 * Or the link step makes a table apart: one that describes the image but is not
 * part of it (FTRACE_SIG_F_APART, in FTRACE_SIG_APART_SECTION of the module
 * ftrace_signatures).  Its ips are __u32, relative to the symbol _stext of the
 * image, and sorted.  Nothing relocates them, so the checksum covers them too.
 * A struct ftrace_sig_apart between the header and the ips identifies the image.
 */
#ifndef _LINUX_FTRACE_SIGNATURE_FORMAT_H
#define _LINUX_FTRACE_SIGNATURE_FORMAT_H

#include <linux/types.h>

#define FTRACE_SIG_OBJECT_SECTION	".ftrace_sig"
#define FTRACE_SIG_TABLE_SECTION	"__ftrace_signatures"
#define FTRACE_SIG_APART_SECTION	"__ftrace_signatures_apart"

#define FTRACE_SIG_MAGIC		0x47495346	/* "FSIG" */
#define FTRACE_SIG_VERSION		2

/* ftrace_sig_header::flags */
#define FTRACE_SIG_F_OBJECT		0x01	/* ips are __u64, absolute */
#define FTRACE_SIG_F_APART		0x02	/* ips are __u32, relative to _stext */

/**
 * struct ftrace_sig_header - the start of a table
 * @magic: FTRACE_SIG_MAGIC
 * @version: FTRACE_SIG_VERSION; a reader refuses any other
 * @word_size: bytes in a machine word of the kernel: 4 or 8
 * @flags: FTRACE_SIG_F_*
 * @size: bytes of the whole table, this header included; a multiple of 8
 * @checksum: CRC-32 (IEEE 802.3, as zlib's crc32()) of this header with a
 *	@checksum of 0, followed by [@sigs, @size); in a table apart, by all
 *	that follows this header
 * @nr_sites: number of call sites
 * @ips: byte offset of the call sites' addresses
 * @sigs: byte offset of the call sites' prototype offsets
 * @protos: byte offset of the prototypes
 * @types: byte offset of the types
 * @strings: byte offset of the strings, which end at @strings_end
 * @strings_end: byte offset behind the last string's NUL
 *
 * @reserved: 0
 *
 * All offsets count from the start of the header and ascend in this order.
 */
struct ftrace_sig_header {
	__u32	magic;
	__u16	version;
	__u8	word_size;
	__u8	flags;
	__u32	size;
	__u32	checksum;
	__u32	nr_sites;
	__u32	ips;
	__u32	sigs;
	__u32	protos;
	__u32	types;
	__u32	strings;
	__u32	strings_end;
	__u32	reserved;
};

#define FTRACE_SIG_BUILD_ID_SIZE	20

/**
 * struct ftrace_sig_apart - what follows the header of a table apart
 * @build_id: the build ID of the image, from its note NT_GNU_BUILD_ID; if it is
 *	shorter, the rest is 0
 */
struct ftrace_sig_apart {
	__u8	build_id[FTRACE_SIG_BUILD_ID_SIZE];
};

/*
 * Type ids and string offsets share a word with eight other bits.
 */
#define FTRACE_SIG_ID_BITS		24
#define FTRACE_SIG_ID_MAX		((1U << FTRACE_SIG_ID_BITS) - 1)
#define FTRACE_SIG_ID(word)		((word) & FTRACE_SIG_ID_MAX)
#define FTRACE_SIG_BITS(word)		((word) >> FTRACE_SIG_ID_BITS)
#define FTRACE_SIG_WORD(id, bits)	((id) | (__u32)(bits) << FTRACE_SIG_ID_BITS)

/*
 * Where a parameter is at the call site: eight bits.
 *
 * Argument registers count in the order of the calling convention: rdi, rsi,
 * rdx, rcx, r8, r9 on x86-64 (psABI 3.2.3), eax, edx, ecx on x86-32 with
 * -mregparm=3.  Stack slots are machine words that count from the word above
 * the return address, that is from the CFA.  A parameter of several words has
 * them in ascending registers or slots, its lowest word first.
 *
 * The entry of a syscall (FTRACE_SIG_SYSCALL) has two kinds of parameters.  The
 * first is its own: a pointer to the struct pt_regs of the user.  The others are
 * the syscall's, each of one word: the n-th word that the syscall's calling
 * convention has in those pt_regs.
 */
#define FTRACE_SIG_PLACE_REG		0x00	/* + register, 0 to 5 */
#define FTRACE_SIG_PLACE_STACK		0x40	/* + slot, 0 to 63 */
#define FTRACE_SIG_PLACE_CONST		0x80	/* the clone assumes this value */
#define FTRACE_SIG_PLACE_REMOVED	0x81	/* the optimizer removed it */
#define FTRACE_SIG_PLACE_UNKNOWN	0x82	/* it has a value, its place is not known */
#define FTRACE_SIG_PLACE_EMPTY		0x83	/* a type of size 0 has no place */
#define FTRACE_SIG_PLACE_PT_REGS	0x84	/* of a syscall's entry: the pointer */
#define FTRACE_SIG_PLACE_SYSCALL	0x90	/* + n, 0 to 5: argument n of the syscall */
#define FTRACE_SIG_PLACE_SYSCALL_S32	0x98	/* + n: the same, a long of 32 bits */

#define FTRACE_SIG_IS_REG(place)	((place) < FTRACE_SIG_PLACE_STACK)
#define FTRACE_SIG_IS_STACK(place)	((place) >= FTRACE_SIG_PLACE_STACK && \
					 (place) < FTRACE_SIG_PLACE_CONST)
#define FTRACE_SIG_IS_SYSCALL(place)	(((place) & ~0x8) >= FTRACE_SIG_PLACE_SYSCALL && \
					 ((place) & ~0x8) < FTRACE_SIG_PLACE_SYSCALL + \
					 FTRACE_SIG_MAX_SYSCALL)
#define FTRACE_SIG_SYSCALL_ARG(place)	((place) & 0x7)

/*
 * Why a place is unknown.  This is stored where a known place has its number of
 * words.  Only "recordmcount --explain" uses it.
 */
#define FTRACE_SIG_WHY_NOT_SAID		0x00
#define FTRACE_SIG_WHY_NO_CODE		0x01	/* DWARF doesn't know this copy of the code */
#define FTRACE_SIG_WHY_NO_LOCATION	0x02	/* DWARF has it, but without a location */
#define FTRACE_SIG_WHY_NOT_AT_ENTRY	0x03	/* DWARF has a location only for later code */
#define FTRACE_SIG_WHY_PARTS		0x04	/* only parts of it are passed, or not together */
#define FTRACE_SIG_WHY_COMPUTED		0x05	/* its value would have to be computed */
#define FTRACE_SIG_WHY_OTHER_PLACE	0x06	/* neither an argument register nor the stack */
#define FTRACE_SIG_WHY_CONVENTION	0x07	/* passed in registers that are not recorded */
#define FTRACE_SIG_WHY_BEHIND		0x08	/* follows one whose place is unknown */
#define FTRACE_SIG_WHY_TOO_FAR		0x09	/* beyond FTRACE_SIG_MAX_STACK */
#define FTRACE_SIG_WHY_DISAGREE		0x0a	/* DWARF and the calling convention differ */
#define FTRACE_SIG_WHY_UNCONFIRMED	0x0b	/* the compiler may have moved it (clang) */
#define FTRACE_SIG_WHY_ATTRIBUTES	0x0c	/* asmlinkage, ms_abi: not shown by DWARF */
#define FTRACE_SIG_WHY_FRAME		0x0d	/* not above mcount's frame pointer */
#define FTRACE_SIG_WHY_ASSIGNED		0x0e	/* DWARF may mean a value assigned since */
#define FTRACE_SIG_WHY_NR		0x0f

/*
 * No more words than this are captured; a parameter beyond them is "unknown".
 * pci_bus_distribute_available_resources() needs this many for its three struct
 * resource by value.
 */
#define FTRACE_SIG_MAX_REGS		6
#define FTRACE_SIG_MAX_STACK		24
#define FTRACE_SIG_MAX_WORDS		(FTRACE_SIG_MAX_REGS + FTRACE_SIG_MAX_STACK)
#define FTRACE_SIG_MAX_SYSCALL		6

/* How the result comes back: eight bits */
#define FTRACE_SIG_RET_VOID		0
#define FTRACE_SIG_RET_WORD		1	/* rax / eax */
#define FTRACE_SIG_RET_PAIR		2	/* rdx:rax / edx:eax, low word first */
#define FTRACE_SIG_RET_MEMORY		3	/* rax / eax holds its address */
#define FTRACE_SIG_RET_UNKNOWN		4	/* it may have been optimized out */
#define FTRACE_SIG_RET_EMPTY		5	/* a type of size 0 */
#define FTRACE_SIG_RET_NR		6

/* ftrace_sig_proto::flags */
#define FTRACE_SIG_VARIADIC		0x01	/* ... behind the named parameters */
#define FTRACE_SIG_UNPROTOTYPED		0x02	/* f(): anything may have been passed */
#define FTRACE_SIG_CLONE		0x04	/* made by the optimizer, places checked */
/*
 * The entry of a syscall: its arguments are in rdi, rsi, rdx, r10, r8, r9 of the
 * pt_regs, or (SYSCALL_32) in the lower halves of rbx, rcx, rdx, rsi, rdi, rbp.
 */
#define FTRACE_SIG_SYSCALL		0x08
#define FTRACE_SIG_SYSCALL_32		0x10

/**
 * struct ftrace_sig_param - one parameter
 * @type_place: FTRACE_SIG_WORD(type id, place)
 * @name_words: FTRACE_SIG_WORD(name's string offset, number of words).  This is
 *	the number of words that hold the value: size / word size, rounded up;
 *	0 if the place is neither a register nor the stack nor an argument of a
 *	syscall.  If the place is unknown, it is FTRACE_SIG_WHY_* instead.
 */
struct ftrace_sig_param {
	__u32	type_place;
	__u32	name_words;
};

/**
 * struct ftrace_sig_proto - the signature of a call site
 * @ret: FTRACE_SIG_WORD(type id of the result, FTRACE_SIG_RET_*)
 * @nr_params: number of named parameters
 * @nr_regs: argument registers that hold parameters, counted from the first
 * @nr_stack: stack slots that hold parameters, counted from the first; of the
 *	entry of a syscall the number of the syscall's arguments
 * @flags: FTRACE_SIG_VARIADIC and so on
 * @params: the parameters in the order of the source
 *
 * After @params follow two words, low and high, for each parameter whose place
 * is FTRACE_SIG_PLACE_CONST, in the parameters' order: its value, extended to
 * 64 bits by the signedness of its type.
 */
struct ftrace_sig_proto {
	__u32	ret;
	__u8	nr_params;
	__u8	nr_regs;
	__u8	nr_stack;
	__u8	flags;
	struct ftrace_sig_param params[];
};

/*
 * Types.  Each begins with two words:
 *
 *	FTRACE_SIG_TYPE(kind, flags, size in bytes)
 *	name, a string offset; 0 if it has none
 *
 * and continues according to its kind:
 *
 *	VOID		nothing; the type with id 0 is void, and no other is
 *	INT, FLOAT	nothing
 *	ENUM		number of enumerators, then for each its name and its value:
 *			one word, or two (low, high) if the size is 8
 *	PTR		id of what it points to
 *	ARRAY		id of the element, number of elements (~0: unknown)
 *	STRUCT, UNION	FTRACE_SIG_MEMBERS(number of members, line), then for each
 *			member FTRACE_SIG_WORD(name, width in bits; 0: not a bit
 *			field), type id, offset in bits
 *	FUNC		id of the result, number of parameters, their type ids
 *	TYPEDEF, CONST, VOLATILE
 *			id of the type that it refers to
 *
 * The element of an array, the type that a typedef or a qualifier refers to, and
 * the types of members have a smaller id than the type itself, so following them
 * always ends.  A pointer and a function refer to any id, so only they can lead
 * back to where one came from.  A chain has at most FTRACE_SIG_MAX_ALIASES
 * typedefs and qualifiers.  A pointer is as large as a machine word.
 *
 * A member lies within its structure: all of its bits, for a bit field, else all
 * bytes of its type.  Bit 0 is the lowest bit of the first byte.  Only an INT or an
 * ENUM is a bit field; all else begins at a multiple of eight bits.  A member
 * without a name is an anonymous structure or union, and its members count as
 * members of the one that it is in.
 *
 * A structure with FTRACE_SIG_STUB has no members here: it is known by its name,
 * and by its size and line, unless these are 0.  In the table of an object file,
 * that is each named structure that only a member or a parameter of a function
 * type points to, so no type of an object refers to itself.  A stub with a size or
 * a line, to which nothing refers, says how that object defines the name.  The link
 * step lets pointers to a stub refer to the definition instead, if there is only
 * one in all objects of the image or module.  The line is that of the definition in
 * its source file, modulo 65536; it tells definitions of the same name apart.
 */
#define FTRACE_SIG_TYPE(kind, flags, size) \
	((__u32)(kind) | (__u32)(flags) << 4 | (__u32)(size) << 8)
#define FTRACE_SIG_TYPE_KIND(word)	((word) & 0xf)
#define FTRACE_SIG_TYPE_FLAGS(word)	((word) >> 4 & 0xf)
#define FTRACE_SIG_TYPE_SIZE(word)	((word) >> 8)
#define FTRACE_SIG_TYPE_SIZE_MAX	0xffffff	/* this large, or larger */
#define FTRACE_SIG_MAX_ALIASES		64

/* The third word of STRUCT and UNION, and how many words a member has */
#define FTRACE_SIG_MEMBERS(nr, line)	((__u32)(nr) | (__u32)(line) << 16)
#define FTRACE_SIG_NR_MEMBERS(word)	((word) & 0xffff)
#define FTRACE_SIG_LINE(word)		((word) >> 16)
#define FTRACE_SIG_MEMBER_WORDS		3

#define FTRACE_SIG_VOID			0
#define FTRACE_SIG_INT			1
#define FTRACE_SIG_FLOAT		2
#define FTRACE_SIG_ENUM			3
#define FTRACE_SIG_PTR			4
#define FTRACE_SIG_ARRAY		5
#define FTRACE_SIG_STRUCT		6
#define FTRACE_SIG_UNION		7
#define FTRACE_SIG_FUNC			8
#define FTRACE_SIG_TYPEDEF		9
#define FTRACE_SIG_CONST		10
#define FTRACE_SIG_VOLATILE		11
#define FTRACE_SIG_KIND_NR		12

/* Flags of INT and ENUM */
#define FTRACE_SIG_INT_SIGNED		0x1
#define FTRACE_SIG_INT_BOOL		0x2	/* _Bool */
#define FTRACE_SIG_INT_CHAR		0x4	/* the base type "char" itself */
/* Flag of STRUCT and UNION */
#define FTRACE_SIG_STUB			0x1	/* its members are not here */
/* Flag of STRUCT, UNION and ENUM */
#define FTRACE_SIG_DECLARATION		0x8	/* never defined in its object */
/* Flag of FUNC */
#define FTRACE_SIG_FUNC_VARIADIC	0x1

#endif /* _LINUX_FTRACE_SIGNATURE_FORMAT_H */
