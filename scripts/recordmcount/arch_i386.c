// SPDX-License-Identifier: GPL-2.0
/*
 * x86-32: relocations, calls, and the calling convention of the System V i386 psABI, as
 * -mregparm and -freg-struct-return change it in gcc (ix86_function_arg_advance(),
 * ix86_return_in_memory()).
 */
#include <string.h>

#include "../../include/linux/ftrace_signature_format.h"

#include "abi.h"
#include "arch.h"
#include "insn_x86.h"

#define WORD		4
#define NR_REGS		3
#define ALL_REGS	((1u << NR_REGS) - 1)

/* Numbers in SSE registers are aligned to this, also on the stack. */
#define WIDE_ALIGN	16

/*
 * The conventions differ in where the first words are passed, and where small structures
 * are returned.  DWARF tells neither: a function may be asmlinkage, that is regparm(0),
 * and the compiler may not record its flags.
 */
static const struct passing {
	unsigned int	nr_regs;
	bool		fastcall;
} passings[] = {
	{ 0, false }, { 1, false }, { 2, false }, { 3, false },	/* regparm */
	{ 1, true },	/* thiscall */
	{ 2, true },	/* fastcall */
};

#define NR_PASSINGS		ARRAY_SIZE(passings)
#define PASSING(convention)	(&passings[(convention) % NR_PASSINGS])
/* -freg-struct-return */
#define IN_REGISTERS(convention) ((convention) >= NR_PASSINGS)
#define NR_CONVENTIONS		(2 * NR_PASSINGS)

/* psABI table 2.10; the fields of TLS descriptor calls only mark an instruction. */
static unsigned int i386_reloc_size(uint32_t type)
{
	switch (type) {
	case R_386_NONE:
	case R_386_TLS_DESC_CALL:
		return 0;
	case R_386_8:
	case R_386_PC8:
		return 1;
	case R_386_16:
	case R_386_PC16:
		return 2;
	default:
		return 4;
	}
}

static bool is_pc32(uint32_t type)
{
	return type == R_386_PC32 || type == R_386_PLT32;
}

static bool is_got(uint32_t type)
{
	return type == R_386_GOT32 || type == R_386_GOT32X;
}

/* Length of the call instruction whose last four bytes are at @code; 0 if none */
static unsigned int call_size(const unsigned char *code, uint64_t before,
			      const struct reloc *rel)
{
	if (is_pc32(rel->type) && rel->addend == -4 && before >= 1 &&
	    code[-1] == 0xe8)
		return 5;
	if (is_got(rel->type) && !rel->addend && before >= 2 &&
	    code[-2] == 0xff && code[-1] == 0x93)
		return 6;
	return 0;
}

/*
 * call rel32 is e8 and four bytes, call *disp32(%ebx), which -fpic makes, is
 * ff 93 and four bytes.  The relocation is against the four bytes.
 */
static bool i386_call_site(const struct section *sec, const struct reloc *rel,
			   uint64_t *site, unsigned int *size)
{
	if (!sec->data || rel->offset > sec->sh.sh_size ||
	    sec->sh.sh_size - rel->offset < 4)
		return false;
	*size = call_size(sec->data + rel->offset, rel->offset, rel);
	*site = rel->offset + 4 - *size;
	return *size;
}

static unsigned int i386_landing_pad(const unsigned char *code, size_t size)
{
	return size >= 4 && !memcmp(code, "\xf3\x0f\x1e\xfb", 4) ? 4 : 0;
}

/* psABI table 2.14: eax is 0, ecx 1, edx 2. */
static int i386_dwarf_reg(unsigned int number)
{
	static const unsigned char regs[NR_REGS] = { 0, 2, 1 };

	for (int i = 0; i < NR_REGS; i++)
		if (regs[i] == number)
			return i;
	return -1;
}

static bool in_registers(const struct type_info *type)
{
	return type->kind == KIND_INT ||
	       (type->is_record && type->mode != MODE_OTHER);
}

/**
 * i386_classify - whether a value may be passed in registers
 * @type: layout of its type
 * @value: @class and @unknown are set
 *
 * A structure of any size may be, unless it only wraps a floating-point or complex
 * number.  The place of a vector depends on the instruction sets that are enabled, which
 * DWARF does not tell.
 */
static void i386_classify(const struct type_info *type, struct abi_value *value)
{
	value->class[0] = in_registers(type) ? CLASS_INTEGER : CLASS_MEMORY;
	value->class[1] = CLASS_NONE;
	value->unknown = type->kind == KIND_VECTOR ||
			 (type->kind == KIND_INT && type->size > 2 * WORD) ||
			 (type->kind == KIND_AGGREGATE &&
			  type->mode == MODE_UNKNOWN);
}

static uint64_t nr_words(const struct abi_value *value)
{
	return (value->size + WORD - 1) / WORD;
}

static unsigned int scalar_ret(const struct abi_value *ret)
{
	/* x87 numbers of 12 bytes are the largest that aren't in memory */
	if (ret->size > 3 * WORD)
		return FTRACE_SIG_RET_MEMORY;
	/* complex numbers count like integers of their size */
	if (ret->kind != KIND_INT && (ret->kind != KIND_AGGREGATE ||
				      ret->is_record))
		return FTRACE_SIG_RET_UNKNOWN;
	return ret->size > WORD ? FTRACE_SIG_RET_PAIR : FTRACE_SIG_RET_WORD;
}

static unsigned int ret_place(const struct abi_value *ret, bool in_registers)
{
	if (ret->kind == KIND_VOID)
		return FTRACE_SIG_RET_VOID;
	if (ret->unknown)
		return FTRACE_SIG_RET_UNKNOWN;
	if (!ret->size)
		return FTRACE_SIG_RET_EMPTY;
	if (!ret->is_record || (in_registers && ret->mode == MODE_OTHER))
		return scalar_ret(ret);
	if (!in_registers || ret->mode != MODE_INT)
		return FTRACE_SIG_RET_MEMORY;
	return ret->size > WORD ? FTRACE_SIG_RET_PAIR : FTRACE_SIG_RET_WORD;
}

/*
 * Registers and stack that are used so far.  Once that is unknown, so are the places of
 * all parameters that follow.
 */
struct cursor {
	const struct passing *passing;
	unsigned int	reg;
	unsigned int	left;
	unsigned int	filled;
	uint64_t	stack;
	bool		lost;
};

/*
 * Only values that contain numbers of 16 bytes are aligned to more than a word on the
 * stack.  DWARF does not tell whether a structure contains one.
 */
static uint64_t stack_align(const struct abi_value *value)
{
	return value->align >= WIDE_ALIGN ? value->align : WORD;
}

static void on_stack(struct cursor *c, struct abi_value *value)
{
	value->why = c->lost ? FTRACE_SIG_WHY_BEHIND : FTRACE_SIG_WHY_TOO_FAR;
	if (c->stack % stack_align(value) || value->size > 1 << 20)
		c->lost = true;
	if (c->lost)
		return;
	if (c->stack / WORD + nr_words(value) <= FTRACE_SIG_MAX_STACK) {
		value->place = FTRACE_SIG_PLACE_STACK + c->stack / WORD;
		value->words = nr_words(value);
	}
	c->stack += nr_words(value) * WORD;
}

/* Fastcall begins with ecx, and passes only single words in registers. */
static bool takes_register(const struct cursor *c, const struct abi_value *value)
{
	return !c->passing->fastcall ||
	       (value->kind == KIND_INT && value->size <= WORD);
}

static unsigned int fill_registers(struct cursor *c, unsigned int words)
{
	unsigned int reg = c->passing->fastcall ? NR_REGS - 1 - c->reg : c->reg;

	for (unsigned int i = 0; i < words; i++)
		c->filled |= 1 << (reg + i);
	return reg;
}

static void in_registers_left(struct cursor *c, struct abi_value *value,
			      unsigned int words)
{
	if (takes_register(c, value)) {
		value->place = FTRACE_SIG_PLACE_REG + fill_registers(c, words);
		value->words = words;
	} else {
		on_stack(c, value);
	}
	c->reg += words;
	c->left -= words;
}

/* A value that does not fit in the remaining registers uses them up nevertheless. */
static void assign_param(struct cursor *c, struct abi_value *value)
{
	uint64_t words = nr_words(value);

	value->words = 0;
	value->place = FTRACE_SIG_PLACE_UNKNOWN;
	if (!value->size && value->kind == KIND_AGGREGATE) {
		value->place = FTRACE_SIG_PLACE_EMPTY;
		return;
	}
	if (value->unknown || c->lost) {
		value->why = c->lost ? FTRACE_SIG_WHY_BEHIND :
			     FTRACE_SIG_WHY_CONVENTION;
		c->lost = true;
		return;
	}
	if (value->class[0] == CLASS_INTEGER && words <= c->left) {
		in_registers_left(c, value, words);
		return;
	}
	if (value->class[0] == CLASS_INTEGER)
		c->left = 0;
	on_stack(c, value);
}

/* A hidden pointer to the result is the first parameter. */
static void assign_pointer(struct cursor *c)
{
	if (c->left) {
		fill_registers(c, 1);
		c->reg++;
		c->left--;
	} else {
		c->stack += WORD;
	}
}

static bool is_possible(const struct abi_call *call, unsigned int convention)
{
	bool in_registers = IN_REGISTERS(convention);

	/* it makes no difference */
	if (ret_place(&call->ret, true) == ret_place(&call->ret, false))
		return !in_registers;
	return call->struct_return != (in_registers ? STRUCT_RETURN_MEMORY :
						      STRUCT_RETURN_REGISTERS);
}

/**
 * i386_assign - places of result and parameters
 * @call: all values are classified; their @place and @words are set
 * @convention: less than NR_CONVENTIONS
 *
 * A value that does not fit in the remaining registers goes to the stack as a whole, and
 * so do all that follow it.  A variadic function has all of them on the stack.
 *
 * Return: false if the function cannot have that convention.
 */
static bool i386_assign(struct abi_call *call, unsigned int convention)
{
	struct cursor c = {
		.passing = PASSING(convention),
		.left = call->variadic ? 0 : PASSING(convention)->nr_regs,
	};

	if (!is_possible(call, convention))
		return false;
	call->ret.place = ret_place(&call->ret, IN_REGISTERS(convention));
	/* to nothing, too */
	if (call->ret.place == FTRACE_SIG_RET_MEMORY ||
	    call->ret.place == FTRACE_SIG_RET_EMPTY)
		assign_pointer(&c);
	if (call->ret.unknown)
		c.lost = true;
	for (unsigned int i = 0; i < call->nr_params; i++)
		assign_param(&c, &call->params[i]);
	call->filled = c.lost ? ALL_REGS : c.filled;
	call->preserved = 0;
	call->is_rare = c.passing->fastcall;
	return true;
}

static const char * const i386_regs[NR_REGS] = {
	"eax", "edx", "ecx",
};

const struct arch arch_i386 = {
	.name		= "x86-32",
	.machine	= EM_386,
	.word_size	= WORD,
	.elf_class	= ELFCLASS32,
	.class_name	= "ELF64 for x86-32",
	.reloc_type	= SHT_REL,
	.reloc_word	= R_386_32,
	.reloc_pc32	= R_386_PC32,
	.reg_names	= i386_regs,
	.nr_regs	= NR_REGS,
	.ret_word	= "eax",
	.ret_pair	= "edx:eax",
	.signatures	= true,
	.nr_conventions	= NR_CONVENTIONS,
	.static_regs	= true,
	.follows_pairs	= true,
	.scalar_align	= WORD,
	.reloc_size	= i386_reloc_size,
	.call_site	= i386_call_site,
	.is_pc32	= is_pc32,
	.is_direct_call	= x86_is_direct_call,
	.is_direct_jump	= x86_is_direct_jump,
	.count_branches	= x86_count_branches,
	.may_loop	= x86_may_loop,
	.reads_result	= i386_reads_result,
	.reads_arguments = i386_reads_arguments,
	.is_idle	= i386_is_idle,
	.hands_over	= i386_hands_over,
	.may_jump	= x86_may_jump,
	.landing_pad	= i386_landing_pad,
	.frame_reg	= 5,
	.stack_reg	= 4,
	.dwarf_reg	= i386_dwarf_reg,
	.classify	= i386_classify,
	.assign		= i386_assign,
};
