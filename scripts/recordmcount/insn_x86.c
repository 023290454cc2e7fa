// SPDX-License-Identifier: GPL-2.0
/*
 * What a few instructions of x86 do, 64 and 32 bits: those that compilers put
 * behind a call.  Any other ends the search, so a new one can only lead to knowing
 * less.
 *
 * Encodings: Intel SDM volume 2, chapter 2 and appendix A.
 */
#include <string.h>

#include "insn_x86.h"

#define RAX		0
#define RSP		4
#define NO_REG		16

/* Instructions looked at behind a call, which may not be the result's at once */
#define MAX_INSNS	8
/* Longer than any instruction that is understood */
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

static bool read_operands(struct insn *insn, const unsigned char *code)
{
	unsigned int immediate = insn->word ? 2 : 4;

	switch (insn->op) {
	case 0x01: case 0x03:			/* add */
	case 0x29: case 0x2b:			/* sub */
	case 0x31: case 0x33:			/* xor */
	case 0x38 ... 0x3b:			/* cmp */
	case 0x63:				/* movsxd */
	case 0x84 ... 0x85:			/* test */
	case 0x88 ... 0x8b:			/* mov */
	case 0x8d:				/* lea */
	case 0x1b6 ... 0x1b7:			/* movzx */
	case 0x1be ... 0x1bf:			/* movsx */
		read_modrm(insn, code);
		return true;
	case 0x80: case 0x83: case 0xc6:	/* with a constant: add to cmp, mov */
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
	case 0x58 ... 0x5f:			/* pop */
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
	insn->word = *at == 0x66;
	at += insn->word;
	if (is64 && (*at & 0xf0) == 0x40)
		insn->rex = *at++;
	insn->op = *at++;
	if (insn->op == 0x0f)
		insn->op = 0x100 | *at++;
	insn->length = at - code;
	/* with 32 bits, 63 is no movsxd */
	return (is64 || insn->op != 0x63) && read_operands(insn, at) &&
	       !has_high_bytes(insn);
}

static bool is_implicit(const struct insn *insn)
{
	switch (insn->op) {
	case 0x3c ... 0x3d:
	case 0x98 ... 0x99:
	case 0xa8 ... 0xa9:
		return true;
	default:
		return false;
	}
}

static bool points_with_rax(const struct insn *insn)
{
	return insn->base == RAX || insn->index == RAX;
}

static bool touches_rax(const struct insn *insn)
{
	return is_implicit(insn) || points_with_rax(insn) ||
	       insn->reg == RAX || insn->rm == RAX;
}

/* Of an instruction that touches rax: whether it needs what is in there. */
static bool reads_rax(const struct insn *insn)
{
	if (is_implicit(insn) || points_with_rax(insn))
		return true;
	switch (insn->op) {
	case 0x01: case 0x03:
	case 0x38 ... 0x3b:
	case 0x84 ... 0x85:
		return true;
	case 0x29: case 0x2b:	/* but of itself it is 0 */
		return insn->reg != insn->rm;
	case 0x88 ... 0x89:
		return insn->reg == RAX;
	case 0x63:
	case 0x8a ... 0x8b:
	case 0x1b6 ... 0x1b7:
	case 0x1be ... 0x1bf:
		return insn->rm == RAX;
	case 0x80 ... 0x81:
	case 0x83:		/* add, sub, cmp; "or" and "and" also make constants */
		return insn->rm == RAX && (insn->digit == 0 ||
		       insn->digit == 5 || insn->digit == 7);
	case 0xf6 ... 0xf7:
		return insn->rm == RAX;
	default:
		return false;
	}
}

/* ModRM's reg field may be part of the opcode, and no register at all. */
static void drop_digit(struct insn *insn)
{
	switch (insn->op) {
	case 0x80 ... 0x81:
	case 0x83:
	case 0xc6 ... 0xc7:
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

static int reads_result(const unsigned char *code, size_t size, bool is64)
{
	unsigned int at = 0;

	for (int i = 0; i < MAX_INSNS && at < size; i++) {
		unsigned char text[MAX_LENGTH] = { 0 };
		size_t left = size - at;
		struct insn insn;

		memcpy(text, code + at, left < MAX_LENGTH ? left : MAX_LENGTH);
		if (!decode(text, is64, &insn) || insn.length > left)
			return -1;
		drop_digit(&insn);
		if (touches_rax(&insn))
			return reads_rax(&insn) ? (int)at : -1;
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

static bool in_range(int64_t value, uint64_t first, uint64_t last)
{
	return value >= (int64_t)first && value <= (int64_t)last;
}

/**
 * x86_may_jump - look for jumps, without knowing where instructions start
 * @code: a section
 * @size: its bytes
 * @first: the first offset of interest
 * @last: the last one
 *
 * Return: whether anything that looks like a direct jump goes there; jumps that
 * have a relocation, or that are none, may look so too.
 */
bool x86_may_jump(const unsigned char *code, size_t size, uint64_t first,
		  uint64_t last)
{
	for (size_t i = 0; i + 2 <= size; i++) {
		bool is_short = (code[i] & 0xf0) == 0x70 || code[i] == 0xeb ||
				(code[i] & 0xfc) == 0xe0;
		size_t end = i + 5;
		int32_t distance;

		if (is_short && in_range((int64_t)i + 2 + (int8_t)code[i + 1],
					 first, last))
			return true;
		if (code[i] == 0x0f && (code[i + 1] & 0xf0) == 0x80)
			end = i + 6;
		else if (code[i] != 0xe9)
			continue;
		if (end > size)
			continue;
		memcpy(&distance, code + end - 4, sizeof(distance));
		if (in_range((int64_t)end + distance, first, last))
			return true;
	}
	return false;
}
