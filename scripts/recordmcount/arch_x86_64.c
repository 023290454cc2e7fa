// SPDX-License-Identifier: GPL-2.0
/*
 * x86-64: relocations, calls, and the calling conventions: that of the System V
 * psABI, section 3.2.3, as gcc implements it, and Microsoft's (ms_abi, the kernel's
 * __efiapi), which DWARF does not show of a function that gcc compiled.
 */
#include <string.h>

#include "../../include/linux/ftrace_signature_format.h"

#include "abi.h"
#include "arch.h"
#include "insn_x86.h"

#define WORD		8
#define NR_REGS		6
#define NR_SSE_REGS	8

/* Bits of argument registers */
#define ALL_REGS	((1u << NR_REGS) - 1)
#define RDI_AND_RSI	3u

enum convention {
	SYSTEM_V,
	MICROSOFT,
	NR_CONVENTIONS,
};

/* The stack is only known to be aligned to this. */
#define STACK_ALIGN	16

/* Objects for x86-64 have the addends in their relocations. */
static unsigned int x86_64_reloc_size(uint32_t type)
{
	return 0;
}

static bool is_pc32(uint32_t type)
{
	return type == R_X86_64_PC32 || type == R_X86_64_PLT32;
}

static bool is_gotpcrel(uint32_t type)
{
	return type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX;
}

/*
 * call rel32 is e8 and four bytes, call *rel32(%rip), which -fpic makes, is
 * ff 15 and four bytes.  The relocation is against the four bytes.
 */
static bool x86_64_call_site(const struct section *sec, const struct reloc *rel,
			     uint64_t *site, unsigned int *size)
{
	const unsigned char *code = sec->data;

	if (!code || rel->offset > sec->sh.sh_size ||
	    sec->sh.sh_size - rel->offset < 4 || rel->addend != -4)
		return false;
	if (is_pc32(rel->type) && rel->offset >= 1 &&
	    code[rel->offset - 1] == 0xe8) {
		*site = rel->offset - 1;
		*size = 5;
		return true;
	}
	if (is_gotpcrel(rel->type) && rel->offset >= 2 &&
	    code[rel->offset - 2] == 0xff && code[rel->offset - 1] == 0x15) {
		*site = rel->offset - 2;
		*size = 6;
		return true;
	}
	return false;
}

static unsigned int x86_64_landing_pad(const unsigned char *code, size_t size)
{
	return size >= 4 && !memcmp(code, "\xf3\x0f\x1e\xfa", 4) ? 4 : 0;
}

/* psABI figure 3.36: DWARF register numbers. */
static int x86_64_dwarf_reg(unsigned int number)
{
	static const unsigned char regs[NR_REGS] = { 5, 4, 1, 2, 8, 9 };

	for (int i = 0; i < NR_REGS; i++)
		if (regs[i] == number)
			return i;
	return -1;
}

/* psABI 3.2.3, classification of aggregates, step 4. */
static enum abi_class merge(enum abi_class a, enum abi_class b)
{
	if (a == b || b == CLASS_NONE)
		return a;
	if (a == CLASS_NONE)
		return b;
	if (a == CLASS_MEMORY || b == CLASS_MEMORY)
		return CLASS_MEMORY;
	if (a == CLASS_INTEGER || b == CLASS_INTEGER)
		return CLASS_INTEGER;
	if ((a != CLASS_SSE && a != CLASS_SSEUP) ||
	    (b != CLASS_SSE && b != CLASS_SSEUP))
		return CLASS_MEMORY;
	return CLASS_SSE;
}

static void set_class(struct abi_value *value, enum abi_class low,
		      enum abi_class high)
{
	value->class[0] = low;
	value->class[1] = high;
}

static void merge_word(struct abi_value *value, unsigned int word,
		       enum abi_class class)
{
	if (word < 2)
		value->class[word] = merge(value->class[word], class);
}

static bool misaligned(const struct type_leaf *leaf)
{
	return !leaf->bit_field && leaf->bits && leaf->bit_offset % leaf->bits;
}

static void merge_leaf(struct abi_value *value, const struct type_leaf *leaf)
{
	unsigned int first = leaf->bit_offset / (8 * WORD);
	unsigned int last;

	if (!leaf->bits)
		return;
	last = (leaf->bit_offset + leaf->bits - 1) / (8 * WORD);
	if (misaligned(leaf)) {
		set_class(value, CLASS_MEMORY, CLASS_MEMORY);
		return;
	}
	for (unsigned int word = first; word <= last; word++) {
		enum abi_class class = CLASS_INTEGER;

		if (leaf->kind == KIND_X87)
			class = word == first ? CLASS_X87 : CLASS_X87UP;
		else if (leaf->kind != KIND_INT)
			class = word == first ? CLASS_SSE : CLASS_SSEUP;
		merge_word(value, word, class);
	}
}

/* psABI 3.2.3, classification of aggregates, step 5. */
static void clean_up(struct abi_value *value)
{
	if (value->class[0] == CLASS_MEMORY || value->class[1] == CLASS_MEMORY ||
	    (value->class[1] == CLASS_X87UP && value->class[0] != CLASS_X87))
		set_class(value, CLASS_MEMORY, CLASS_MEMORY);
	else if (value->class[1] == CLASS_SSEUP && value->class[0] != CLASS_SSE)
		value->class[1] = CLASS_SSE;
}

static bool has_vector(const struct type_info *type)
{
	for (unsigned int i = 0; i < type->nr_leaves; i++)
		if (type->leaves[i].kind == KIND_VECTOR)
			return true;
	return false;
}

static void classify_aggregate(const struct type_info *type,
			       struct abi_value *value)
{
	set_class(value, CLASS_NONE, CLASS_NONE);
	if (!type->size)
		return;
	if (type->size > 2 * WORD) {
		set_class(value, CLASS_MEMORY, CLASS_MEMORY);
		/* alone in a structure, a vector of AVX may be in a register */
		value->unknown = type->size <= 64 &&
				 (has_vector(type) || type->incomplete);
		return;
	}
	if (type->incomplete) {
		value->unknown = true;
		return;
	}
	for (unsigned int i = 0; i < type->nr_leaves; i++)
		merge_leaf(value, &type->leaves[i]);
	clean_up(value);
	/* nothing but padding: DWARF doesn't show unnamed bit fields */
	if (value->class[0] == CLASS_NONE ||
	    (value->class[1] == CLASS_NONE && type->size > WORD))
		value->unknown = true;
}

static void classify_vector(const struct type_info *type,
			    struct abi_value *value)
{
	set_class(value, CLASS_SSE,
		  type->size > WORD ? CLASS_SSEUP : CLASS_NONE);
	/* depends on AVX being enabled, which DWARF doesn't tell */
	value->unknown = type->size > 2 * WORD;
}

static void classify_scalar(const struct type_info *type,
			    struct abi_value *value, enum abi_class low,
			    enum abi_class high)
{
	if (type->size > 2 * WORD)
		set_class(value, CLASS_MEMORY, CLASS_MEMORY);
	else
		set_class(value, low, type->size > WORD ? high : CLASS_NONE);
}

/**
 * x86_64_classify - classes of a value, psABI 3.2.3 "Classification"
 * @type: layout of its type
 * @value: @class and @unknown are set
 */
static void x86_64_classify(const struct type_info *type,
			    struct abi_value *value)
{
	switch (type->kind) {
	case KIND_VOID:
		set_class(value, CLASS_NONE, CLASS_NONE);
		break;
	case KIND_INT:
		classify_scalar(type, value, CLASS_INTEGER, CLASS_INTEGER);
		break;
	case KIND_FLOAT:
		classify_scalar(type, value, CLASS_SSE, CLASS_SSEUP);
		break;
	case KIND_X87:
		set_class(value, CLASS_X87, CLASS_X87UP);
		break;
	case KIND_COMPLEX_X87:
		set_class(value, CLASS_COMPLEX_X87, CLASS_COMPLEX_X87);
		break;
	case KIND_VECTOR:
		classify_vector(type, value);
		break;
	case KIND_AGGREGATE:
		classify_aggregate(type, value);
		break;
	}
}

static unsigned int count(const struct abi_value *value, enum abi_class class)
{
	return (value->class[0] == class) + (value->class[1] == class);
}

static bool in_memory(const struct abi_value *value)
{
	return value->class[0] >= CLASS_X87;
}

static unsigned int ret_place(const struct abi_value *ret)
{
	if (ret->kind == KIND_VOID)
		return FTRACE_SIG_RET_VOID;
	if (ret->unknown)
		return FTRACE_SIG_RET_UNKNOWN;
	if (!ret->size)
		return FTRACE_SIG_RET_EMPTY;
	if (ret->class[0] == CLASS_MEMORY)
		return FTRACE_SIG_RET_MEMORY;
	if (count(ret, CLASS_INTEGER) == 2)
		return FTRACE_SIG_RET_PAIR;
	if (ret->class[0] == CLASS_INTEGER && ret->class[1] == CLASS_NONE)
		return FTRACE_SIG_RET_WORD;
	return FTRACE_SIG_RET_UNKNOWN;
}

/*
 * Registers and stack that are used so far.  Once that is unknown, so are the places of
 * all parameters that follow.
 */
struct cursor {
	unsigned int	regs;
	unsigned int	sse;
	uint64_t	stack;
	unsigned int	filled;
	bool		regs_lost;
	bool		stack_lost;
};

static void lose_places(struct cursor *c)
{
	c->filled = ALL_REGS;
	c->regs_lost = true;
	c->stack_lost = true;
}

static unsigned int nr_words(const struct abi_value *value)
{
	return (value->size + WORD - 1) / WORD;
}

static bool align_unknown(const struct abi_call *call,
			  const struct abi_value *value, uint64_t at)
{
	if (value->kind != KIND_AGGREGATE)
		return false;
	return (call->no_alignment && at) ||
	       (value->align_guessed && at % STACK_ALIGN);
}

static void on_stack(const struct abi_call *call, struct cursor *c,
		     struct abi_value *value)
{
	uint64_t align = value->align > WORD ? value->align : WORD;
	uint64_t at = align_up(c->stack, align);

	if (align > STACK_ALIGN || align_unknown(call, value, c->stack))
		c->stack_lost = true;
	value->place = FTRACE_SIG_PLACE_UNKNOWN;
	value->why = c->stack_lost ? FTRACE_SIG_WHY_BEHIND :
		     FTRACE_SIG_WHY_TOO_FAR;
	if (value->size > 1 << 20) {
		c->stack_lost = true;
		return;
	}
	c->stack = at + align_up(value->size, WORD);
	if (c->stack_lost || c->stack > FTRACE_SIG_MAX_STACK * WORD)
		return;
	value->place = FTRACE_SIG_PLACE_STACK + at / WORD;
	value->words = nr_words(value);
}

static void in_registers(struct cursor *c, struct abi_value *value,
			 unsigned int regs, unsigned int sse)
{
	value->place = FTRACE_SIG_PLACE_UNKNOWN;
	value->why = FTRACE_SIG_WHY_CONVENTION;
	if (!sse && !c->regs_lost) {
		value->place = FTRACE_SIG_PLACE_REG + c->regs;
		value->words = regs;
	}
	for (unsigned int i = 0; i < regs; i++)
		c->filled |= 1u << (c->regs + i);
	c->regs += regs;
	c->sse += sse;
}

/* psABI 3.2.3, "Passing". */
static void assign_param(const struct abi_call *call, struct cursor *c,
			 struct abi_value *value)
{
	unsigned int regs = count(value, CLASS_INTEGER);
	unsigned int sse = count(value, CLASS_SSE);
	bool fits = c->regs + regs <= NR_REGS && c->sse + sse <= NR_SSE_REGS;

	value->words = 0;
	value->place = FTRACE_SIG_PLACE_UNKNOWN;
	value->why = FTRACE_SIG_WHY_CONVENTION;
	if (value->kind == KIND_AGGREGATE && !value->size) {
		value->place = FTRACE_SIG_PLACE_EMPTY;
		return;
	}
	/* no promise is left if the compiler splits what doesn't fit */
	if (value->unknown || (call->is_clang && !fits && regs == 2 &&
			       value->kind == KIND_INT)) {
		lose_places(c);
		return;
	}
	if (c->regs_lost) {
		value->why = FTRACE_SIG_WHY_BEHIND;
		c->stack_lost = true;
		return;
	}
	if (in_memory(value) || !fits)
		on_stack(call, c, value);
	else
		in_registers(c, value, regs, sse);
}

static void flexible_to_memory(struct abi_call *call)
{
	if (call->ret.is_flexible)
		set_class(&call->ret, CLASS_MEMORY, CLASS_MEMORY);
	for (unsigned int i = 0; i < call->nr_params; i++)
		if (call->params[i].is_flexible)
			set_class(&call->params[i], CLASS_MEMORY, CLASS_MEMORY);
}

/*
 * For a result in memory, the first register holds a hidden pointer to it.  A parameter
 * that does not fit in the remaining registers goes to the stack as a whole; smaller ones
 * behind it may still get registers.
 */
static void assign_system_v(struct abi_call *call)
{
	struct cursor c = { 0 };

	if (call->is_clang)
		flexible_to_memory(call);
	call->ret.place = ret_place(&call->ret);
	if (call->ret.place == FTRACE_SIG_RET_MEMORY) {
		c.regs = 1;
		c.filled = 1;
	}
	if (call->ret.unknown)
		lose_places(&c);
	for (unsigned int i = 0; i < call->nr_params; i++)
		assign_param(call, &c, &call->params[i]);
	call->filled = call->variadic ? ALL_REGS : c.filled;
	call->preserved = 0;
}

/* What is passed as it is: in a register, or in a slot (ix86_pass_by_reference()) */
static bool is_ms_word(const struct abi_value *value)
{
	return (value->kind == KIND_INT ||
		(value->kind == KIND_AGGREGATE && value->is_record)) &&
	       (value->size == 1 || value->size == 2 || value->size == 4 ||
		value->size == 8);
}

/* Others are passed by reference, or in an SSE register. */
static void assign_ms_param(struct abi_value *value, unsigned int slot)
{
	static const unsigned char regs[] = { 3, 2, 4, 5 };	/* rcx, rdx, r8, r9 */

	value->words = 0;
	value->place = FTRACE_SIG_PLACE_UNKNOWN;
	value->why = FTRACE_SIG_WHY_CONVENTION;
	if (!is_ms_word(value))
		return;
	if (slot >= FTRACE_SIG_MAX_STACK) {
		value->why = FTRACE_SIG_WHY_TOO_FAR;
		return;
	}
	value->place = slot < ARRAY_SIZE(regs) ? FTRACE_SIG_PLACE_REG + regs[slot] :
						 FTRACE_SIG_PLACE_STACK + slot;
	value->words = 1;
}

/*
 * Each parameter has a stack slot, but the first four are in registers instead
 * (function_arg_ms_64()).  The place of a result of more than one word depends on its
 * type; a hidden pointer to it would take the first slot.
 */
static void assign_microsoft(struct abi_call *call)
{
	bool is_plain = call->ret.kind == KIND_VOID || is_ms_word(&call->ret);

	call->ret.place = call->ret.kind == KIND_VOID ? FTRACE_SIG_RET_VOID :
			  is_plain ? FTRACE_SIG_RET_WORD : FTRACE_SIG_RET_UNKNOWN;
	for (unsigned int i = 0; i < call->nr_params; i++) {
		struct abi_value *value = &call->params[i];

		assign_ms_param(value, i);
		if (is_plain && value->size)
			continue;
		is_plain = false;
		value->words = 0;
		value->place = FTRACE_SIG_PLACE_UNKNOWN;
		value->why = FTRACE_SIG_WHY_CONVENTION;
	}
	call->filled = ALL_REGS & ~RDI_AND_RSI;
	call->preserved = RDI_AND_RSI;
}

/**
 * x86_64_assign - places of result and parameters
 * @call: all values are classified; their @place and @words are set
 * @convention: less than NR_CONVENTIONS
 *
 * Return: false if the function cannot have that convention: clang marks those that
 * have another than System V's.
 */
static bool x86_64_assign(struct abi_call *call, unsigned int convention)
{
	call->is_rare = convention == MICROSOFT;
	if (convention == SYSTEM_V)
		assign_system_v(call);
	else if (!call->is_clang)
		assign_microsoft(call);
	return convention == SYSTEM_V || !call->is_clang;
}

static const char * const x86_64_regs[NR_REGS] = {
	"rdi", "rsi", "rdx", "rcx", "r8", "r9",
};

const struct arch arch_x86_64 = {
	.name		= "x86-64",
	.machine	= EM_X86_64,
	.word_size	= WORD,
	.elf_class	= ELFCLASS64,
	.class_name	= "the x32 ABI (ELF32 for x86-64)",
	.reloc_type	= SHT_RELA,
	.reloc_word	= R_X86_64_64,
	.reloc_pc32	= R_X86_64_PC32,
	.reg_names	= x86_64_regs,
	.nr_regs	= NR_REGS,
	.ret_word	= "rax",
	.ret_pair	= "rdx:rax",
	.signatures	= true,
	.nr_conventions	= NR_CONVENTIONS,
	.dwarf_preserved = 1u << 5 | 1u << 4,	/* rdi, rsi */
	.clang_as_gcc	= true,
	.scalar_align	= 16,
	.reloc_size	= x86_64_reloc_size,
	.call_site	= x86_64_call_site,
	.is_pc32	= is_pc32,
	.is_direct_call	= x86_is_direct_call,
	.is_direct_jump	= x86_is_direct_jump,
	.count_branches	= x86_count_branches,
	.may_loop	= x86_may_loop,
	.reads_result	= x86_64_reads_result,
	.reads_arguments = x86_64_reads_arguments,
	.is_idle	= x86_64_is_idle,
	.hands_over	= x86_64_hands_over,
	.may_jump	= x86_may_jump,
	.landing_pad	= x86_64_landing_pad,
	.frame_reg	= 6,
	.stack_reg	= 7,
	.dwarf_reg	= x86_64_dwarf_reg,
	.classify	= x86_64_classify,
	.assign		= x86_64_assign,
};
