/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_X86_BRANCH_STEP_TYPES_H
#define _ASM_X86_BRANCH_STEP_TYPES_H

#include <linux/types.h>

/**
 * struct branch_insn_read - an instruction
 * @what: an enum branch_insn
 * @length: in bytes; 0 if it is not known
 * @opcode: of a conditional jump, its last byte
 * @address_bytes: how many bytes of registers it uses as addresses, or to count
 */
struct branch_insn_read {
	u8	what;
	u8	length;
	u8	opcode;
	u8	address_bytes;
};

/**
 * struct branch_step - the way of a task in user mode, one step at a time
 * @begin: address of the instruction that it was to execute when it went to user mode
 * @from: the same or, if that is one which may have the next executed as well, of the next
 * @left: where it was when it came back
 * @insn: what there was at @from
 * @armed: it is in user mode, and executes one instruction
 * @our_tf: the trap flag was set for that, and neither the program nor a debugger knows
 * @had_tf: it came back with the trap flag
 * @blockstep: a debugger has it go on to the next branch
 * @trap: it comes back from one step (which has the CPU raise #DB), as far as is known yet
 * @stepped: it came back from one step. If not, it was told how it came back.
 */
struct branch_step {
	unsigned long		begin;
	unsigned long		from;
	unsigned long		left;
	struct branch_insn_read	insn;
	bool			armed;
	bool			our_tf;
	bool			had_tf;
	bool			blockstep;
	bool			trap;
	bool			stepped;
};

#endif /* _ASM_X86_BRANCH_STEP_TYPES_H */
