// SPDX-License-Identifier: GPL-2.0
/*
 * What an instruction does, as far as it matters to one who steps.
 *
 * The opcodes are those of the Intel SDM, volume 2, appendix A.
 */
#include <asm/inat.h>
#include <asm/insn.h>
#include <asm/processor-flags.h>
#include <asm/ptrace.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "insn.h"

/* What has opcode 0xff depends on the middle bits of the byte behind it */
static enum branch_insn of_group5(struct insn *insn)
{
	switch (X86_MODRM_REG(insn->modrm.bytes[0])) {
	case 2: case 3:
		return BRANCH_INSN_CALL;
	case 4: case 5:
		return BRANCH_INSN_JUMP;
	default:
		return BRANCH_INSN_OTHER;
	}
}

static bool has_prefix(struct insn *insn, u8 prefix)
{
	unsigned int i;

	for (i = 0; i < min(insn->prefixes.nbytes, 4); i++) {
		if (insn->prefixes.bytes[i] == prefix)
			return true;
	}
	return false;
}

static bool has_rep(struct insn *insn)
{
	return has_prefix(insn, 0xf2) || has_prefix(insn, 0xf3);
}

static enum branch_insn of_one_byte(struct insn *insn)
{
	switch (insn->opcode.bytes[0]) {
	case 0x17: case 0xfb:			/* pop %ss, sti */
		return BRANCH_INSN_SHADOW;
	case 0x90:				/* pause: QEMU raises no trap behind it */
		return has_prefix(insn, 0xf3) ? BRANCH_INSN_SHADOW : BRANCH_INSN_OTHER;
	case 0x8e:				/* mov to a segment register */
		return X86_MODRM_REG(insn->modrm.bytes[0]) == 2 ? BRANCH_INSN_SHADOW :
								  BRANCH_INSN_OTHER;
	case 0x6c ... 0x6f:			/* ins, outs */
	case 0xa4 ... 0xa7:			/* movs, cmps */
	case 0xaa ... 0xaf:			/* stos, lods, scas */
		return has_rep(insn) ? BRANCH_INSN_REP : BRANCH_INSN_OTHER;
	case 0x70 ... 0x7f:			/* jcc */
	case 0xe0 ... 0xe3:			/* loop, jcxz */
		return BRANCH_INSN_CONDITIONAL;
	case 0x9a: case 0xe8:			/* call */
		return BRANCH_INSN_CALL;
	case 0xc2: case 0xc3: case 0xca: case 0xcb:
		return BRANCH_INSN_RETURN;
	case 0xcf:
		return BRANCH_INSN_IRET;
	case 0xe9: case 0xea: case 0xeb:	/* jmp */
		return BRANCH_INSN_JUMP;
	case 0xff:
		return of_group5(insn);
	case 0x9c:
		return BRANCH_INSN_PUSHF;
	case 0x9d:
		return BRANCH_INSN_POPF;
	case 0xcd:				/* int */
		return (u8)insn->immediate.value == 0x80 ? BRANCH_INSN_SYSENTER : BRANCH_INSN_TRAP;
	case 0xc7:				/* xbegin, or mov */
		return insn->modrm.bytes[0] == 0xf8 ? BRANCH_INSN_XBEGIN : BRANCH_INSN_OTHER;
	case 0xcc: case 0xce: case 0xf1:	/* int3, into, int1 */
		return BRANCH_INSN_TRAP;
	default:
		return BRANCH_INSN_OTHER;
	}
}

static enum branch_insn of_two_bytes(struct insn *insn)
{
	switch (insn->opcode.bytes[1]) {
	case 0x05:				/* syscall */
		return BRANCH_INSN_SYSCALL;
	case 0x34:				/* sysenter */
		return BRANCH_INSN_SYSENTER;
	case 0xb2:				/* lss: QEMU raises no trap behind it */
		return BRANCH_INSN_SHADOW;
	case 0x80 ... 0x8f:			/* jcc */
		return BRANCH_INSN_CONDITIONAL;
	default:
		return BRANCH_INSN_OTHER;
	}
}

static enum branch_insn what_is(struct insn *insn)
{
	if (insn_is_avx(insn))
		return BRANCH_INSN_OTHER;
	if (insn->opcode.nbytes == 1)
		return of_one_byte(insn);
	if (insn->opcode.nbytes == 2)
		return of_two_bytes(insn);
	return BRANCH_INSN_OTHER;
}

/**
 * struct prefixes - what stands before the opcode of an instruction
 * @nr: so many bytes
 * @operand: the size of operands is the other one
 * @address: the size of addresses is the other one
 * @rep: the last one of repne and rep
 * @rex: REX right before the opcode
 */
struct prefixes {
	unsigned int	nr;
	bool		operand;
	bool		address;
	u8		rep;
	u8		rex;
};

static bool is_prefix(insn_attr_t attr, enum insn_mode mode)
{
	return inat_is_legacy_prefix(attr) || (mode == INSN_MODE_64 && inat_is_rex_prefix(attr));
}

/* Segments and lock change nothing that matters here */
static void take_prefix(struct prefixes *prefixes, u8 byte)
{
	prefixes->operand |= byte == 0x66;
	prefixes->address |= byte == 0x67;
	if (byte == 0xf2 || byte == 0xf3)
		prefixes->rep = byte;
	prefixes->rex = (byte & 0xf0) == 0x40 ? byte : 0;
}

static void read_prefixes(struct prefixes *prefixes, const u8 *bytes, unsigned int size,
			  enum insn_mode mode)
{
	*prefixes = (struct prefixes) { };
	while (prefixes->nr < size &&
	       is_prefix(inat_get_opcode_attribute(bytes[prefixes->nr]), mode))
		take_prefix(prefixes, bytes[prefixes->nr++]);
}

static unsigned int write_prefixes(u8 *bytes, const struct prefixes *prefixes)
{
	u8 *next = bytes;

	if (prefixes->address)
		*next++ = 0x67;
	if (prefixes->operand)
		*next++ = 0x66;
	if (prefixes->rep)
		*next++ = prefixes->rep;
	if (prefixes->rex)
		*next++ = prefixes->rex;
	return next - bytes;
}

/* Decodes an instruction without those of its prefixes that do not count. Returns its length. */
static unsigned int decode_plain(struct insn *insn, const u8 *bytes, unsigned int size,
				 enum insn_mode mode)
{
	struct prefixes prefixes;
	u8 plain[MAX_INSN_SIZE];
	unsigned int nr, rest;

	read_prefixes(&prefixes, bytes, size, mode);
	nr = write_prefixes(plain, &prefixes);
	rest = size - prefixes.nr;
	memcpy(&plain[nr], &bytes[prefixes.nr], rest);
	if (insn_decode(insn, plain, nr + rest, mode))
		return 0;
	return insn->length - nr + prefixes.nr;
}

/*
 * The kernel's decoder takes up to four prefixes, and REX behind them. CPUs take all that fit into
 * MAX_INSN_SIZE, and ignore REX before another one (SDM, volume 2, 2.1.1 and 2.2.1). The decoder
 * takes what it leaves for the opcode. Returns the length, or 0 if it cannot be decoded.
 */
static unsigned int decode(struct insn *insn, const u8 *bytes, unsigned int size,
			   enum insn_mode mode)
{
	if (insn_decode(insn, bytes, size, mode) || is_prefix(insn->attr, mode))
		return decode_plain(insn, bytes, size, mode);
	return insn->length;
}

/**
 * branch_insn_decode() - find out what an instruction does
 * @read: set to what it does
 * @bytes: the instruction, and what is behind it
 * @size: how many of these bytes there are, at most MAX_INSN_SIZE
 * @mode: 32 or 64 bits
 *
 * Context: any.
 */
void branch_insn_decode(struct branch_insn_read *read, const u8 *bytes, unsigned int size,
			enum insn_mode mode)
{
	struct insn insn;
	unsigned int length;

	*read = (struct branch_insn_read) { .what = BRANCH_INSN_UNKNOWN };
	length = decode(&insn, bytes, size, mode);
	if (!length)
		return;
	read->what = what_is(&insn);
	read->length = length;
	read->opcode = insn.opcode.bytes[insn.opcode.nbytes - 1];
	read->address_bytes = insn.addr_bytes;
}

/* Conditions of jcc, by bits 1 to 3 of the opcode; bit 0 negates them. SDM, appendix B.1.4.7. */
static bool flags_fulfil(unsigned int condition, unsigned long flags)
{
	bool less = !(flags & X86_EFLAGS_SF) != !(flags & X86_EFLAGS_OF);

	switch (condition) {
	case 0:
		return flags & X86_EFLAGS_OF;
	case 1:
		return flags & X86_EFLAGS_CF;
	case 2:
		return flags & X86_EFLAGS_ZF;
	case 3:
		return flags & (X86_EFLAGS_CF | X86_EFLAGS_ZF);
	case 4:
		return flags & X86_EFLAGS_SF;
	case 5:
		return flags & X86_EFLAGS_PF;
	case 6:
		return less;
	default:
		return less || flags & X86_EFLAGS_ZF;
	}
}

/* The counter as it was left by loop, or was read by jcxz */
static unsigned long counter(const struct branch_insn_read *read, const struct pt_regs *regs)
{
	if (read->address_bytes == 2)
		return regs->cx & 0xffff;
	if (read->address_bytes == 4)
		return regs->cx & 0xffffffff;
	return regs->cx;
}

/**
 * branch_insn_was_taken() - find out whether a conditional jump was taken
 * @read: the jump, of kind BRANCH_INSN_CONDITIONAL
 * @regs: what it has left
 *
 * No conditional jump changes what it depends on, but for the counter, which loop decrements
 * first.
 *
 * Context: any.
 * Return: true if it was taken.
 */
bool branch_insn_was_taken(const struct branch_insn_read *read, const struct pt_regs *regs)
{
	bool zero = regs->flags & X86_EFLAGS_ZF;

	switch (read->opcode) {
	case 0xe0:
		return counter(read, regs) && !zero;
	case 0xe1:
		return counter(read, regs) && zero;
	case 0xe2:
		return counter(read, regs);
	case 0xe3:
		return !counter(read, regs);
	default:
		return flags_fulfil(read->opcode >> 1 & 7, regs->flags) != (read->opcode & 1);
	}
}

/**
 * branch_insn_kind() - the kind of branch that an instruction is
 * @read: the instruction
 *
 * Context: any.
 * Return: the kind, or BRANCH_UNKNOWN if it is none, or could not be read.
 */
enum branch_kind branch_insn_kind(const struct branch_insn_read *read)
{
	switch (read->what) {
	case BRANCH_INSN_CALL:
		return BRANCH_CALL;
	case BRANCH_INSN_RETURN:
	case BRANCH_INSN_IRET:
		return BRANCH_RETURN;
	case BRANCH_INSN_JUMP:
		return BRANCH_JUMP;
	case BRANCH_INSN_CONDITIONAL:
		return BRANCH_CONDITIONAL;
	default:
		return BRANCH_UNKNOWN;
	}
}

/*
 * Whether an instruction that is no branch has led to where it should. Programs may have some that
 * the decoder does not know, and takes for shorter or longer. The kernel has none, but its text may
 * be patched when it was looked at.
 */
static bool is_next(const struct branch_insn_read *read, unsigned long from, struct pt_regs *regs)
{
	bool any = read->what == BRANCH_INSN_UNKNOWN ||
		   (read->what == BRANCH_INSN_OTHER && user_mode(regs));

	if (any)
		return regs->ip - from <= MAX_INSN_SIZE;
	return regs->ip == from + read->length ||
	       (read->what == BRANCH_INSN_REP && regs->ip == from);
}

/**
 * branch_insn_has_branched() - find out whether an instruction has branched
 * @read: the instruction
 * @from: its address
 * @regs: what it has left
 *
 * A jump to the next instruction is a branch, too. An instruction that could not be read is taken
 * for none if the next one is not further than an instruction goes.
 *
 * Context: any.
 * Return: true if so.
 */
bool branch_insn_has_branched(const struct branch_insn_read *read, unsigned long from,
			      struct pt_regs *regs)
{
	switch (branch_insn_kind(read)) {
	case BRANCH_UNKNOWN:
		return !is_next(read, from, regs);
	case BRANCH_CONDITIONAL:
		return branch_insn_was_taken(read, regs);
	default:
		return true;
	}
}
