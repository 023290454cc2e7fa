// SPDX-License-Identifier: GPL-2.0
/*
 * The supported machines.
 */
#include "arch.h"

/**
 * arch_find - look a machine up
 * @machine: EM_* of the ELF header
 *
 * Return: the machine, NULL if it is not supported.
 */
const struct arch *arch_find(unsigned int machine)
{
	static const struct arch * const archs[] = {
		&arch_x86_64,
		&arch_i386,
	};

	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		if (archs[i]->machine == machine)
			return archs[i];
	return NULL;
}
