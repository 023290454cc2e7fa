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
 * @from: the same, or of the first one behind it that is sure to raise a trap, see
 *	BRANCH_INSN_SHADOW
 * @left: where it was when it came back
 * @insn: what there was at @from
 * @cs: the segment that it was read in
 * @armed: it is in user mode, and executes one instruction
 * @our_tf: the trap flag was set for that, and neither the program nor a debugger knows
 * @had_tf: it came back with the trap flag
 * @blockstep: a debugger has it go on to the next branch
 * @trap: #DB was raised by the step, and branch_step_enter() was not called yet
 * @interrupted: it came back by an interrupt, and branch_step_enter() was not called yet
 * @stuck: it came back by an interrupt before it has executed anything
 * @untold: that it has gone to user mode then is still to be told
 * @stepped: it came back by the step's #DB. If not, a record told how it came back.
 * @theirs: the program, a debugger or a probe has asked for this #DB, too
 */
struct branch_step {
	unsigned long		begin;
	unsigned long		from;
	unsigned long		left;
	struct branch_insn_read	insn;
	u16			cs;
	bool			armed;
	bool			our_tf;
	bool			had_tf;
	bool			blockstep;
	bool			trap;
	bool			interrupted;
	bool			stuck;
	bool			untold;
	bool			stepped;
	bool			theirs;
};

#endif /* _ASM_X86_BRANCH_STEP_TYPES_H */
