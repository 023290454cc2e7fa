/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calling conventions: from the layout of types to the places of parameters.
 * Nothing here knows DWARF.
 */
#ifndef ABI_H
#define ABI_H

#include "util.h"

/* As many leaves as anything that fits in registers can sensibly have. */
#define TYPE_MAX_LEAVES		128

enum type_kind {
	KIND_VOID,
	KIND_INT,		/* integers, pointers, enums, bool */
	KIND_FLOAT,		/* float, double, _Float128: in SSE registers */
	KIND_X87,		/* long double */
	KIND_COMPLEX_X87,	/* _Complex long double */
	KIND_VECTOR,
	KIND_AGGREGATE,		/* struct, union, _Complex of anything else */
};

/**
 * enum type_mode - gcc's machine mode of a type, as far as it matters
 * @MODE_UNKNOWN: it depends on what the processor has (vectors)
 * @MODE_INT: handled like an integer of this size: 1, 2, 4 or 8 bytes
 * @MODE_BLOCK: only handled as bytes in memory
 * @MODE_OTHER: handled like a floating-point or complex number
 */
enum type_mode {
	MODE_UNKNOWN,
	MODE_INT,
	MODE_BLOCK,
	MODE_OTHER,
};

/**
 * struct type_leaf - a scalar in an aggregate
 * @kind: what it is: INT, FLOAT, X87 or VECTOR
 * @bit_field: a bit field, which has no alignment
 * @bit_offset: offset from the start of the aggregate
 * @bits: width
 */
struct type_leaf {
	enum type_kind	kind;
	bool		bit_field;
	uint32_t	bit_offset;
	uint32_t	bits;
};

/**
 * struct type_info - the properties of a type that decide how it is passed
 * @kind: what it is
 * @mode: how gcc handles it
 * @is_record: a struct or union
 * @is_flexible: it ends with an array of unknown length
 * @size: bytes
 * @align: alignment in bytes
 * @align_guessed: a packed structure would have less, and DWARF doesn't tell
 * @incomplete: there are more leaves than fit, or some that are not understood
 * @leaves: the scalars of an aggregate, no matter in which order; only given
 *	up to 16 bytes of size
 * @nr_leaves: number of @leaves
 */
struct type_info {
	enum type_kind	kind;
	enum type_mode	mode;
	bool		is_record;
	bool		is_flexible;
	uint64_t	size;
	uint64_t	align;
	bool		align_guessed;
	bool		incomplete;
	unsigned int	nr_leaves;
	struct type_leaf leaves[TYPE_MAX_LEAVES];
};

enum abi_class {
	CLASS_NONE,
	CLASS_INTEGER,
	CLASS_SSE,
	CLASS_SSEUP,
	CLASS_X87,
	CLASS_X87UP,
	CLASS_COMPLEX_X87,
	CLASS_MEMORY,
};

/**
 * struct abi_value - a parameter or a result
 * @size: bytes
 * @align: alignment in bytes
 * @kind: of its type
 * @mode: of its type
 * @is_record: its type is a struct or union
 * @is_flexible: its type ends with an array of unknown length
 * @align_guessed: see struct type_info
 * @unknown: it is not known how it is passed, nor where the following parameters are
 * @class: of its first two words; all of a larger value is CLASS_MEMORY
 * @place: where it is: FTRACE_SIG_PLACE_* or, for a result, FTRACE_SIG_RET_*
 * @words: number of words that hold it there, 0 if it is in no place
 * @why: FTRACE_SIG_WHY_*, if the place of a parameter is unknown
 */
struct abi_value {
	uint64_t	size;
	uint64_t	align;
	enum type_kind	kind;
	enum type_mode	mode;
	bool		is_record;
	bool		is_flexible;
	bool		align_guessed;
	bool		unknown;
	unsigned char	class[2];
	unsigned int	place;
	unsigned int	words;
	unsigned int	why;
};

/* Where a compiler that has a choice returns small structures */
enum struct_return {
	STRUCT_RETURN_UNKNOWN,
	STRUCT_RETURN_REGISTERS,	/* -freg-struct-return */
	STRUCT_RETURN_MEMORY,
};

/**
 * struct abi_call - a function
 * @ret: its result
 * @params: its parameters
 * @nr_params: number of @params
 * @is_clang: compiled by clang.  It may put one half of a 16-byte integer in a
 *	register and one on the stack, contrary to the psABI (before clang 18), and
 *	structures with a flexible array member are in memory, whatever their size
 * @no_alignment: DWARF doesn't tell alignment that the source asks for
 * @variadic: it has ... behind the named parameters
 * @struct_return: where small structures come back
 * @needed: bits of the argument registers that the function surely needs
 * @spoiled: bits of those that it changes, and does not restore
 * @filled: bits of those in which the caller puts something, by the convention
 * @preserved: bits of those that have to be restored, by the convention
 * @is_rare: the convention is such that code alone doesn't make it likely
 */
struct abi_call {
	struct abi_value ret;
	struct abi_value *params;
	unsigned int	nr_params;
	bool		is_clang;
	bool		no_alignment;
	bool		variadic;
	enum struct_return struct_return;
	unsigned int	needed;
	unsigned int	spoiled;
	unsigned int	filled;
	unsigned int	preserved;
	bool		is_rare;
};

#endif /* ABI_H */
