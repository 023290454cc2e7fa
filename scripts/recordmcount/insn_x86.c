// SPDX-License-Identifier: GPL-2.0
/*
 * What a few x86 instructions do, in 64-bit and 32-bit code: those that compilers emit
 * behind a call or at the start of a function.  Any other instruction ends the search, so
 * an instruction that is missing here can only leave a value unknown.
 *
 * arch/x86/lib/insn.c, which objtool decodes with, answers another question: it tells the
 * length and the fields of every instruction, but not which registers it reads and
 * writes.  That takes a list of opcodes in any case, and for those in the list, the
 * length is the smaller part.  Searches for jumps go through whole sections, which may
 * contain data and hand-written code, so they try every byte: they may find a jump too
 * many, but never miss one.
 *
 * Encodings: Intel SDM volume 2, chapter 2 and appendix A.
 */
#include <string.h>

#include "insn_x86.h"

#define RAX		0
#define RCX		1
#define RDX		2
#define RSP		4
#define RSI		6
#define RDI		7
#define NO_REG		16

/* Sign-extends eax into edx, without naming either */
#define CLTD		0x99

/* Instructions looked at behind a call, which may not be the result's at once */
#define MAX_INSNS	8
/* More than the longest instruction that is understood */
#define MAX_LENGTH	16

/**
 * struct insn - an instruction
 * @op: its opcode, plus 0x100 if that is behind 0x0f
 * @rex: REX prefix, or 0
 * @word: it has the prefix of 16-bit operands
 * @digit: of an opcode that ModRM extends
 * @reg: register of ModRM's reg field, or of an opcode that has it in itself
 * @rm: register of ModRM's other operand, NO_REG if that is in memory
 * @base: register that points to memory, or NO_REG
 * @index: the register added to that, or NO_REG
 * @length: in bytes
 */
struct insn {
	unsigned int	op;
	unsigned char	rex;
	bool		word;
	unsigned int	digit;
	unsigned int	reg;
	unsigned int	rm;
	unsigned int	base;
	unsigned int	index;
	unsigned int	length;
};

static void read_sib(struct insn *insn, unsigned char sib, unsigned int mod,
		     unsigned int *displacement)
{
	insn->base = (sib & 7) | (insn->rex & 1) << 3;
	insn->index = (sib >> 3 & 7) | (insn->rex & 2) << 2;
	if (insn->index == RSP)
		insn->index = NO_REG;
	if (!mod && (sib & 7) == 5) {
		insn->base = NO_REG;
		*displacement = 4;
	}
}

/* ModRM with all that belongs to it. */
static void read_modrm(struct insn *insn, const unsigned char *code)
{
	unsigned int mod = *code >> 6, displacement = mod == 2 ? 4 : mod;

	insn->digit = *code >> 3 & 7;
	insn->reg = insn->digit | (insn->rex & 4) << 1;
	insn->rm = (*code & 7) | (insn->rex & 1) << 3;
	insn->length++;
	if (mod == 3)
		return;
	insn->base = insn->rm;
	insn->rm = NO_REG;
	if ((*code & 7) == 4) {
		read_sib(insn, code[1], mod, &displacement);
		insn->length++;
	} else if (!mod && (*code & 7) == 5) {
		insn->base = NO_REG;		/* relative to rip */
		displacement = 4;
	}
	insn->length += displacement;
}

static void read_opcode_register(struct insn *insn)
{
	insn->reg = (insn->op & 7) | (insn->rex & 1) << 3;
}

static bool read_operands(struct insn *insn, const unsigned char *code, bool is64)
{
	unsigned int immediate = insn->word ? 2 : 4;

	switch (insn->op) {
	case 0x01: case 0x03:			/* add */
	case 0x09: case 0x0b:			/* or */
	case 0x21: case 0x23:			/* and */
	case 0x29: case 0x2b:			/* sub */
	case 0x31: case 0x33:			/* xor */
	case 0x38 ... 0x3b:			/* cmp */
	case 0x63:				/* movsxd */
	case 0x84 ... 0x85:			/* test */
	case 0x88 ... 0x8b:			/* mov */
	case 0x8d:				/* lea */
	case 0xd1: case 0xd3:			/* shifts by 1, by cl */
	case 0x1b6 ... 0x1b7:			/* movzx */
	case 0x1be ... 0x1bf:			/* movsx */
		read_modrm(insn, code);
		return true;
	case 0x80: case 0x83: case 0xc6:	/* with a constant: add to cmp, mov */
	case 0xc1:				/* shifts */
		read_modrm(insn, code);
		insn->length++;
		return true;
	case 0x81: case 0xc7:
		read_modrm(insn, code);
		insn->length += immediate;
		return true;
	case 0xf6: case 0xf7:			/* only test has a constant */
		read_modrm(insn, code);
		insn->length += insn->op == 0xf6 ? 1 : immediate;
		return insn->digit == 0;
	case 0xb8 ... 0xbf:			/* mov of a constant */
		read_opcode_register(insn);
		insn->length += insn->rex & 8 ? 8 : immediate;
		return true;
	case 0x40 ... 0x4f:			/* inc, dec; REX with 64 bits */
	case 0x50 ... 0x5f:			/* push, pop */
		read_opcode_register(insn);
		return true;
	case 0x3c: case 0xa8:			/* cmp, test of al */
		insn->length++;
		return true;
	case 0x3d: case 0xa9:			/* cmp, test of eax */
		insn->length += immediate;
		return true;
	case 0x98 ... 0x99:			/* cltq, cltd */
		return true;
	case 0xa1: case 0xa3:			/* mov, eax and an address */
		insn->length += is64 ? 8 : 4;
		return true;
	default:
		return false;
	}
}

static bool has_byte_operands(const struct insn *insn)
{
	switch (insn->op) {
	case 0x38: case 0x3a: case 0x80: case 0x84: case 0x88: case 0x8a:
	case 0xc6: case 0xf6: case 0x1b6: case 0x1be:
		return true;
	default:
		return false;
	}
}

/* Without REX, bytes 4 to 7 are ah, ch, dh, bh: leave those alone. */
static bool has_high_bytes(const struct insn *insn)
{
	return has_byte_operands(insn) && !insn->rex &&
	       (insn->reg - 4 < 4 || insn->rm - 4 < 4);
}

static bool decode(const unsigned char *code, bool is64, struct insn *insn)
{
	const unsigned char *at = code;

	*insn = (struct insn){
		.reg = NO_REG, .rm = NO_REG, .base = NO_REG, .index = NO_REG,
	};
	at += *at == 0x64 || *at == 0x65;	/* relative to fs, gs */
	insn->word = *at == 0x66;
	at += insn->word;
	if (is64 && (*at & 0xf0) == 0x40)
		insn->rex = *at++;
	insn->op = *at++;
	if (insn->op == 0x0f)
		insn->op = 0x100 | *at++;
	insn->length = at - code;
	/* with 32 bits, 63 is no movsxd */
	return (is64 || insn->op != 0x63) && read_operands(insn, at, is64) &&
	       !has_high_bytes(insn);
}

static bool is_implicit(const struct insn *insn)
{
	switch (insn->op) {
	case 0x3c ... 0x3d:
	case 0x98 ... 0x99:
	case 0xa1: case 0xa3:
	case 0xa8 ... 0xa9:
		return true;
	default:
		return false;
	}
}

static bool is_push(const struct insn *insn)
{
	return insn->op >= 0x50 && insn->op <= 0x57;
}

static bool points_with(const struct insn *insn, unsigned int reg)
{
	return insn->base == reg || insn->index == reg;
}

static bool touches(const struct insn *insn, unsigned int reg)
{
	return (reg == RAX && is_implicit(insn)) || points_with(insn, reg) ||
	       insn->reg == reg || insn->rm == reg;
}

/*
 * Whether an instruction that touches a register needs its value.  A push does not prove
 * that, because compilers also push just to make room on the stack.
 */
static bool reads(const struct insn *insn, unsigned int reg)
{
	if (points_with(insn, reg))
		return true;
	if (reg == RAX && is_implicit(insn))
		return insn->op != 0xa1;	/* mov to it */
	switch (insn->op) {
	case 0x01: case 0x03:
	case 0x09: case 0x0b:
	case 0x21: case 0x23:
	case 0x38 ... 0x3b:
	case 0x40 ... 0x4f:
	case 0x84 ... 0x85:
		return true;
	case 0x29: case 0x2b:	/* but of itself it is 0 */
		return insn->reg != insn->rm;
	case 0x88 ... 0x89:
		return insn->reg == reg;
	case 0x63:
	case 0x8a ... 0x8b:
	case 0x1b6 ... 0x1b7:
	case 0x1be ... 0x1bf:
		return insn->rm == reg;
	case 0x80 ... 0x81:
	case 0x83:		/* add, sub, cmp; "or" and "and" also make constants */
		return insn->rm == reg && (insn->digit == 0 ||
		       insn->digit == 5 || insn->digit == 7);
	case 0xc1:
	case 0xd1: case 0xd3:
	case 0xf6 ... 0xf7:
		return insn->rm == reg;
	default:
		return false;
	}
}

/* For some opcodes, ModRM's reg field extends the opcode and names no register. */
static void drop_digit(struct insn *insn)
{
	switch (insn->op) {
	case 0x80 ... 0x81:
	case 0x83:
	case 0xc1:
	case 0xc6 ... 0xc7:
	case 0xd1: case 0xd3:
	case 0xf6 ... 0xf7:
		insn->reg = NO_REG;
		break;
	}
}

/**
 * x86_is_direct_call - whether a call instruction of five bytes is there
 * @code: the first of them
 */
bool x86_is_direct_call(const unsigned char *code)
{
	return *code == 0xe8;
}

/**
 * x86_is_direct_jump - whether a jump instruction of five bytes is there
 * @code: the first of them
 */
bool x86_is_direct_jump(const unsigned char *code)
{
	return *code == 0xe9;
}

/* Length of the conditional jump at @code, 0 if there is none */
static unsigned int skip_jump(const unsigned char *code, size_t size)
{
	if (size >= 2 && (code[0] & 0xf0) == 0x70)
		return 2;
	if (size >= 6 && code[0] == 0x0f && (code[1] & 0xf0) == 0x80)
		return 6;
	return 0;
}

/* Decode the instruction at @code; false if it is not understood, or cut off. */
static bool fetch(const unsigned char *code, size_t size, bool is64,
		  struct insn *insn)
{
	unsigned char text[MAX_LENGTH] = { 0 };

	memcpy(text, code, size < MAX_LENGTH ? size : MAX_LENGTH);
	if (!decode(text, is64, insn) || insn->length > size)
		return false;
	drop_digit(insn);
	return true;
}

static int reads_result(const unsigned char *code, size_t size, bool is64)
{
	unsigned int at = 0;

	for (int i = 0; i < MAX_INSNS && at < size; i++) {
		struct insn insn;

		if (!fetch(code + at, size - at, is64, &insn))
			return -1;
		if (touches(&insn, RAX))
			return reads(&insn, RAX) ? (int)at : -1;
		at += insn.length;
	}
	return -1;
}

/**
 * x86_64_reads_result - look for the instruction that uses a call's result
 * @code: what follows the call
 * @size: bytes that follow
 *
 * Return: its offset; -1 if rax may be changed first, or nothing is sure.
 */
int x86_64_reads_result(const unsigned char *code, size_t size)
{
	return reads_result(code, size, true);
}

/**
 * i386_reads_result - the same for eax
 * @code: what follows the call
 * @size: bytes that follow
 */
int i386_reads_result(const unsigned char *code, size_t size)
{
	return reads_result(code, size, false);
}

/* The argument registers, as instructions number them */
static const unsigned char i386_arguments[] = { RAX, RDX, RCX };
static const unsigned char x86_64_arguments[] = { RDI, RSI, RDX, RCX, 8, 9 };

struct arguments {
	const unsigned char *regs;
	unsigned int	nr;
	bool		is64;
};

/* Bits of the argument registers that an instruction needs */
static unsigned int read_by(const struct arguments *args, const struct insn *insn)
{
	unsigned int regs = 0;

	for (unsigned int i = 0; i < args->nr; i++)
		if (touches(insn, args->regs[i]) && reads(insn, args->regs[i]))
			regs |= 1 << i;
	return regs;
}

/* Bits of the argument registers that it may change */
static unsigned int changed_by(const struct arguments *args,
			       const struct insn *insn)
{
	unsigned int regs = 0;

	if (is_push(insn))
		return 0;
	for (unsigned int i = 0; i < args->nr; i++)
		if (touches(insn, args->regs[i]) ||
		    (insn->op == CLTD && args->regs[i] == RDX))
			regs |= 1 << i;
	return regs;
}

/* Whether it overwrites a register without using the old value */
static bool writes(const struct insn *insn, unsigned int reg)
{
	switch (insn->op) {
	case 0x31: case 0x33:	/* of itself it is 0 */
		return insn->reg == reg && insn->rm == reg;
	case 0x63:
	case 0x8b:
	case 0x8d:
	case 0x1b6 ... 0x1b7:
	case 0x1be ... 0x1bf:
	case 0xb8 ... 0xbf:
		return insn->reg == reg;
	case 0x89:
	case 0xc7:
		return insn->rm == reg;
	default:
		return false;
	}
}

static unsigned int written_by(const struct arguments *args,
			       const struct insn *insn)
{
	unsigned int regs = 0;

	for (unsigned int i = 0; i < args->nr; i++)
		if (writes(insn, args->regs[i]))
			regs |= 1 << i;
	return regs;
}

static unsigned int reads_arguments(const struct arguments *args,
				    const unsigned char *code, size_t size,
				    unsigned int *changed, unsigned int *written)
{
	unsigned int needed = 0, at = 0, jump;
	struct insn insn;

	while (at < size) {
		jump = skip_jump(code + at, size - at);
		at += jump;
		if (jump)
			continue;
		if (!fetch(code + at, size - at, args->is64, &insn))
			break;
		needed |= read_by(args, &insn) & ~*changed;
		*written |= written_by(args, &insn);
		*changed |= changed_by(args, &insn) & ~needed;
		at += insn.length;
	}
	if (at < size)
		*changed = ~0u;
	return needed;
}

/**
 * x86_64_reads_arguments - which argument registers a function needs
 * @code: instructions at its start; conditional jumps are not taken
 * @size: their bytes
 * @changed: bits of registers that were changed before; those that are changed
 *	here are added, all if there is an instruction that isn't understood
 * @written: those that surely get another value are added
 *
 * Compiled code reads no register in which the caller has passed nothing.
 *
 * Return: a bit for each of rdi, rsi, rdx, rcx, r8, r9, if it is read before it is
 * changed.
 */
unsigned int x86_64_reads_arguments(const unsigned char *code, size_t size,
				    unsigned int *changed,
				    unsigned int *written)
{
	const struct arguments args = {
		x86_64_arguments, ARRAY_SIZE(x86_64_arguments), true,
	};

	return reads_arguments(&args, code, size, changed, written);
}

/**
 * i386_reads_arguments - the same for eax, edx, ecx
 * @code: instructions at its start
 * @size: their bytes
 * @changed: as above
 * @written: as above
 */
unsigned int i386_reads_arguments(const unsigned char *code, size_t size,
				  unsigned int *changed, unsigned int *written)
{
	const struct arguments args = {
		i386_arguments, ARRAY_SIZE(i386_arguments), false,
	};

	return reads_arguments(&args, code, size, changed, written);
}

/* Whether it only moves constants, registers, or the stack pointer by push and pop */
static bool is_idle(const struct insn *insn)
{
	switch (insn->op) {
	case 0x29: case 0x2b:	/* of itself: 0 */
	case 0x31: case 0x33:
		return insn->reg == insn->rm;
	case 0x50 ... 0x5f:
	case 0xb8 ... 0xbf:
		return true;
	case 0x89: case 0x8b:
		return insn->rm != NO_REG;
	default:
		return false;
	}
}

static bool is_return(unsigned char code)
{
	return code == 0xc2 || code == 0xc3;
}

static bool does_nothing(const unsigned char *code, size_t size, bool is64)
{
	struct insn insn;
	size_t at = 0;

	while (at < size && !is_return(code[at])) {
		if (!fetch(code + at, size - at, is64, &insn) || !is_idle(&insn))
			return false;
		at += insn.length;
	}
	return at < size;
}

/**
 * x86_64_is_idle - whether code does nothing but return, at most a constant
 * @code: instructions
 * @size: their bytes
 *
 * Pushes and pops, of a frame pointer for instance, are allowed.
 *
 * Return: false also if there is an instruction that isn't understood.
 */
bool x86_64_is_idle(const unsigned char *code, size_t size)
{
	return does_nothing(code, size, true);
}

/**
 * i386_is_idle - the same for x86-32
 * @code: instructions
 * @size: their bytes
 */
bool i386_is_idle(const unsigned char *code, size_t size)
{
	return does_nothing(code, size, false);
}

/* mov %esp,%ebp, or mov %rsp,%rbp; 0 if there is none, or its length */
static unsigned int frame_length(const unsigned char *code, size_t size, bool is64)
{
	unsigned int prefix = is64 ? 1 : 0;

	if (size < prefix + 2 || (is64 && *code != 0x48))
		return 0;
	code += prefix;
	return !memcmp(code, "\x89\xe5", 2) || !memcmp(code, "\x8b\xec", 2) ?
	       prefix + 2 : 0;
}

static unsigned int hands_over(const unsigned char *code, size_t size, bool is64,
			       unsigned int *field, bool *is_call)
{
	unsigned int at = 0, pushed = 0, length;

	for (; at < size; at += length) {
		length = 1;
		if (code[at] == 0x55)			/* push %ebp */
			pushed++;
		else if (code[at] == 0x5d && pushed)	/* pop %ebp */
			pushed--;
		else
			length = frame_length(code + at, size - at, is64);
		if (!length)
			break;
	}
	*field = at + 1;
	*is_call = size - at >= 5 && code[at] == 0xe8;
	if (*is_call || (size - at >= 5 && code[at] == 0xe9 && !pushed))
		return 4;
	return size - at >= 2 && code[at] == 0xeb && !pushed ? 1 : 0;
}

/**
 * x86_64_hands_over - find the call or tail call to which a function forwards all of its
 *	arguments unchanged
 * @code: its instructions
 * @size: their bytes
 * @field: set to the offset of the distance, the last field of the jump or call
 * @is_call: set if it is a call; what is on the stack is elsewhere then
 *
 * Return: bytes of the distance; 0 if the function does anything else before, but
 * for a frame pointer.
 */
unsigned int x86_64_hands_over(const unsigned char *code, size_t size,
			       unsigned int *field, bool *is_call)
{
	return hands_over(code, size, true, field, is_call);
}

/**
 * i386_hands_over - the same for x86-32
 * @code: its instructions
 * @size: their bytes
 * @field: as above
 * @is_call: as above
 */
unsigned int i386_hands_over(const unsigned char *code, size_t size,
			     unsigned int *field, bool *is_call)
{
	return hands_over(code, size, false, field, is_call);
}

static bool in_range(int64_t value, uint64_t first, uint64_t last)
{
	return value >= (int64_t)first && value <= (int64_t)last;
}

/* jmp, jcc, loop and jcxz with a distance of one byte */
static bool is_short_jump(const unsigned char *code)
{
	return (*code & 0xf0) == 0x70 || *code == 0xeb || (*code & 0xfc) == 0xe0;
}

/* Length of a jump, or a call, with a distance of four bytes; 0 if there is none */
static unsigned int long_branch(const unsigned char *code, size_t size, bool calls)
{
	if (size >= 5 && (*code == 0xe9 || (calls && *code == 0xe8)))
		return 5;
	return size >= 6 && *code == 0x0f && (code[1] & 0xf0) == 0x80 ? 6 : 0;
}

/*
 * Where the jump or call at an offset leads, if the bytes there are one.  They may also
 * be part of another instruction, or have a relocation.
 */
static bool leads_to(const unsigned char *code, size_t size, size_t at,
		     bool calls, int64_t *target)
{
	unsigned int length = long_branch(code + at, size - at, calls);
	int32_t distance;

	if (length) {
		memcpy(&distance, code + at + length - 4, sizeof(distance));
		*target = (int64_t)at + length + distance;
		return true;
	}
	if (size - at < 2 || !is_short_jump(code + at))
		return false;
	*target = (int64_t)at + 2 + (int8_t)code[at + 1];
	return true;
}

/**
 * x86_may_jump - look for jumps, without knowing where instructions start
 * @code: a section
 * @size: its bytes
 * @first: the first offset of interest
 * @last: the last one
 *
 * Return: whether any bytes, taken for a direct jump, lead there.  The bytes may be part
 * of another instruction, or have a relocation.
 */
bool x86_may_jump(const unsigned char *code, size_t size, uint64_t first,
		  uint64_t last)
{
	int64_t target;

	for (size_t at = 0; at < size; at++)
		if (leads_to(code, size, at, false, &target) &&
		    in_range(target, first, last))
			return true;
	return false;
}

/**
 * x86_count_branches - count jumps and calls to a place, likewise
 * @code: a section
 * @size: its bytes
 * @to: the place
 */
unsigned int x86_count_branches(const unsigned char *code, size_t size,
				uint64_t to)
{
	unsigned int nr = 0;
	int64_t target;

	for (size_t at = 0; at < size; at++)
		nr += leads_to(code, size, at, true, &target) &&
		      target == (int64_t)to;
	return nr;
}

/* jmp *register, jmp *memory */
static bool is_indirect_jump(const unsigned char *code, size_t size)
{
	return size >= 2 && *code == 0xff && (code[1] >> 3 & 7) == 4;
}

/**
 * x86_may_loop - look for jumps back, likewise
 * @code: a function
 * @size: its bytes
 *
 * Return: whether any bytes, taken for a jump, lead back in the function, or are an
 * indirect jump.
 */
bool x86_may_loop(const unsigned char *code, size_t size)
{
	int64_t target;

	for (size_t at = 0; at < size; at++)
		if (is_indirect_jump(code + at, size - at) ||
		    (leads_to(code, size, at, false, &target) &&
		     target >= 0 && target <= (int64_t)at))
			return true;
	return false;
}
