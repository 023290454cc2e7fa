// SPDX-License-Identifier: GPL-2.0
/*
 * What programs call a syscall.
 *
 * The metadata has the name of the kernel's function, which the events and their format
 * files have, too. The table of syscalls has the name that libraries and strace know. Most
 * are the same; of the others the build makes a list from the table. One function may have
 * several names: fstat64 and fstat, clock_gettime64 of 32-bit programs and clock_gettime of
 * 64-bit ones. So the name belongs to the number that a task has called.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "trace_syscalls.h"

struct name {
	u16		nr;
	const char	*name;
};

#ifdef CONFIG_X86
static const struct name native_names[] = {
#ifdef CONFIG_X86_64
#include "trace_syscalls_names_64.h"
#else
#include "trace_syscalls_names_32.h"
#endif
};
#else
static const struct name native_names[0];
#endif

#ifdef CONFIG_IA32_EMULATION
static const struct name compat_names[] = {
#include "trace_syscalls_names_32.h"
};
#else
static const struct name compat_names[0];
#endif

static const char *find_name(const struct name *names, size_t nr_names, int nr)
{
	size_t i;

	for (i = 0; i < nr_names; i++)
		if (names[i].nr == nr)
			return names[i].name;
	return NULL;
}

/* By the function: what generic headers define it as */
static const char *name_of_function(const char *function)
{
	static const struct {
		const char	*function;
		const char	*syscall;
	} names[] = {
		{ "newstat",	"stat" },
		{ "newlstat",	"lstat" },
		{ "newfstat",	"fstat" },
		{ "newuname",	"uname" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(function, names[i].function))
			return names[i].syscall;
	return function;
}

/**
 * trace_syscall_name - the name of a syscall in the table that it was called by
 * @meta: the syscall
 * @slot: the slot that it was called by
 *
 * Return: the name, without "sys_".
 */
const char *trace_syscall_name(const struct syscall_metadata *meta, int slot)
{
	const char *function = meta->name + strlen("sys_");
	const char *name;

	if (trace_syscall_slot_is_compat(slot))
		name = find_name(compat_names, ARRAY_SIZE(compat_names), slot - NR_syscalls);
	else
		name = find_name(native_names, ARRAY_SIZE(native_names), slot);
	if (name)
		return name;
	if (strstarts(function, "compat_"))
		function += strlen("compat_");
	return name_of_function(function);
}
