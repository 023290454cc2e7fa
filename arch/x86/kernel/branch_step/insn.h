/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ARCH_X86_BRANCH_STEP_INSN_H
#define _ARCH_X86_BRANCH_STEP_INSN_H

#include <asm/branch_step_types.h>
#include <asm/insn.h>
#include <linux/branch_trace.h>
#include <linux/types.h>

struct pt_regs;

/**
 * enum branch_insn - what an instruction does, as far as it matters to one who steps
 * @BRANCH_INSN_UNKNOWN: it could not be read or decoded
 * @BRANCH_INSN_OTHER: it goes on with the next one
 * @BRANCH_INSN_REP: it goes on with the next one, or comes again
 * @BRANCH_INSN_CALL: a call
 * @BRANCH_INSN_RETURN: a return
 * @BRANCH_INSN_IRET: a return that loads the flags
 * @BRANCH_INSN_JUMP: a jump
 * @BRANCH_INSN_CONDITIONAL: a conditional jump
 * @BRANCH_INSN_SYSCALL: a system call that copies the flags to a register
 * @BRANCH_INSN_SYSENTER: any other system call
 * @BRANCH_INSN_TRAP: an exception that comes when it has been executed
 * @BRANCH_INSN_PUSHF: it stores the flags
 * @BRANCH_INSN_POPF: it loads the flags
 * @BRANCH_INSN_XBEGIN: it goes on with the next one, or at its handler
 * @BRANCH_INSN_SHADOW: there may be no trap between it and the next instruction
 */
enum branch_insn {
	BRANCH_INSN_UNKNOWN,
	BRANCH_INSN_OTHER,
	BRANCH_INSN_REP,
	BRANCH_INSN_CALL,
	BRANCH_INSN_RETURN,
	BRANCH_INSN_IRET,
	BRANCH_INSN_JUMP,
	BRANCH_INSN_CONDITIONAL,
	BRANCH_INSN_SYSCALL,
	BRANCH_INSN_SYSENTER,
	BRANCH_INSN_TRAP,
	BRANCH_INSN_PUSHF,
	BRANCH_INSN_POPF,
	BRANCH_INSN_XBEGIN,
	BRANCH_INSN_SHADOW,
};

/*
 * So many BRANCH_INSN_SHADOW in a row are looked at. An emulator may execute all of them before it
 * raises a trap. If there are more, it may look as if the last one had branched.
 */
#define BRANCH_MOST_SHADOWS 64

/**
 * branch_insn_in_shadow() - whether instructions have been executed one after the other
 * @begin: the address of the first one
 * @from: of the last one: all before it are BRANCH_INSN_SHADOW
 * @ip: where the CPU is
 *
 * Context: any.
 * Return: true if it is behind the first one, and has not executed the last one.
 */
static inline bool branch_insn_in_shadow(unsigned long begin, unsigned long from, unsigned long ip)
{
	return ip > begin && ip <= from;
}

enum branch_kind branch_insn_kind(const struct branch_insn_read *read);
bool branch_insn_has_branched(const struct branch_insn_read *read, unsigned long from,
			      struct pt_regs *regs);
void branch_insn_decode(struct branch_insn_read *read, const u8 *bytes, unsigned int size,
			enum insn_mode mode);
bool branch_insn_was_taken(const struct branch_insn_read *read, const struct pt_regs *regs);

#endif /* _ARCH_X86_BRANCH_STEP_INSN_H */
