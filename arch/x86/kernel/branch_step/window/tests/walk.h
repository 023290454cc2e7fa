/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ARCH_X86_BRANCH_STEP_WALK_H
#define _ARCH_X86_BRANCH_STEP_WALK_H

#include <linux/types.h>

/**
 * struct walk_branch - a branch that the walk takes
 * @from: the instruction, as bytes from branch_walk()
 * @to: where it goes, likewise
 * @kind: an enum branch_kind
 */
struct walk_branch {
	u32	from;
	u32	to;
	u32	kind;
};

extern const struct walk_branch walk_branches[], walk_branches_end[];

/* The last one if interrupts are off */
extern const struct walk_branch walk_branch_irqs_off;

/* The part of branch_walk() whose branches are known, likewise */
extern const u32 walk_begin, walk_end;

/* Where instructions of several kinds begin, likewise */
extern const u32 walk_places[], walk_places_end[];

void branch_walk(void);
void branch_walk_twice(void (*between)(void *data), void *data);

/*
 * Pushes, jumps and pops: where it pushes, and the jump, as bytes from it. The stack is deeper
 * then, as it is in a probe's handler.
 */
void branch_push(void);

extern const u32 branch_push_places[], branch_push_places_end[];
extern const struct walk_branch branch_push_jump;

#endif /* _ARCH_X86_BRANCH_STEP_WALK_H */
