// SPDX-License-Identifier: GPL-2.0
/*
 * Which syscall a number is.
 *
 * Each SYSCALL_DEFINE() leaves a struct syscall_metadata, which does not know its number:
 * numbers are in the architecture's tables, which have only addresses. The symbol at such
 * an address leads back to the metadata. This is done once, at boot.
 *
 * In the table of 32-bit programs stand functions of two kinds. Most are native syscalls
 * under another calling convention, with the native metadata. The others are from
 * COMPAT_SYSCALL_DEFINE(), with metadata of their own named "sys_compat_NAME". If such a
 * one has as many parameters as the native syscall NAME, then it takes the same, in the
 * same order, and differs only in the layout of what they point to; it is then shown as
 * that syscall, so that one event tells of all programs' calls. If it has another number of
 * parameters (a 64-bit one comes in two halves), or if there is no native syscall NAME, the
 * event is "sys_enter_compat_NAME".
 */
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/string.h>

#include "trace_syscalls.h"

#ifdef CONFIG_HAVE_SPARSE_SYSCALL_NR
DEFINE_XARRAY(trace_syscall_sparse);
#else
struct syscall_metadata *trace_syscall_table[TRACE_SYSCALL_SLOTS] __ro_after_init;
#endif

#ifndef ARCH_HAS_SYSCALL_MATCH_SYM_NAME
/* "sys_", "SyS_" and ".sys_" are in use as beginnings of the symbol */
static bool arch_syscall_match_sym_name(const char *sym, const char *name)
{
	return strlen(sym) > 3 && !strcmp(sym + strlen("sys"), name + strlen("sys"));
}
#endif

/* The addresses that the native table has */
unsigned long __init __weak arch_syscall_addr(int nr)
{
	return (unsigned long)sys_call_table[nr];
}

static struct syscall_metadata *find_native(const char *symbol)
{
	struct syscall_metadata **meta = __start_syscalls_metadata;

	for (; meta < __stop_syscalls_metadata; meta++) {
		if (arch_syscall_match_sym_name(symbol, (*meta)->name))
			return *meta;
	}
	return NULL;
}

/* @name: of the metadata, without "sys_" and @prefix */
static struct syscall_metadata *find_by_name(const char *prefix, const char *name)
{
	struct syscall_metadata **meta = __start_syscalls_metadata;
	size_t skip = strlen(prefix);

	for (; meta < __stop_syscalls_metadata; meta++) {
		const char *own = (*meta)->name + strlen("sys_");

		if (!strncmp(own, prefix, skip) && !strcmp(own + skip, name))
			return *meta;
	}
	return NULL;
}

/**
 * trace_syscall_by_name - the metadata of a syscall
 * @name: the native function's name without "sys_", or that of COMPAT_SYSCALL_DEFINE()
 *
 * Return: NULL if there is none.
 */
const struct syscall_metadata *trace_syscall_by_name(const char *name)
{
	return find_by_name("", name) ?: find_by_name("compat_", name);
}

/**
 * trace_syscall_find - the metadata of the syscall that a function implements
 * @symbol: the function's name
 *
 * Unused numbers lead to sys_ni_syscall(), which is a SYSCALL_DEFINE(), too, on some
 * architectures. It stands for no syscall.
 *
 * Return: NULL if there is none.
 */
struct syscall_metadata *trace_syscall_find(const char *symbol)
{
	const char *compat = strstr(symbol, "_compat_sys_");
	struct syscall_metadata *own, *native;
	const char *name;

	if (arch_syscall_match_sym_name(symbol, "sys_ni_syscall"))
		return NULL;
	if (!compat)
		return find_native(symbol);
	name = compat + strlen("_compat_sys_");
	own = find_by_name("compat_", name);
	native = find_by_name("", name);
	if (own && native && own->nb_args == native->nb_args)
		return native;
	return own;
}

/* COMPAT_SYSCALL_DEFINE() is for syscalls whose structures differ in 32-bit programs */
static bool __init is_compat_layout(const char *symbol)
{
	return strstr(symbol, "_compat_sys_");
}

static void __init fill_slot(int slot, unsigned long address)
{
	struct syscall_metadata *meta;
	char symbol[KSYM_SYMBOL_LEN];

	if (!kallsyms_lookup(address, NULL, NULL, NULL, symbol))
		return;
	meta = trace_syscall_find(symbol);
	if (!meta)
		return;

	if (is_compat_layout(symbol))
		trace_syscall_note_layout(slot);

	/* The native number is home; the last one if there are several */
	if (meta->syscall_nr < 0 || !trace_syscall_slot_is_compat(slot))
		meta->syscall_nr = slot;
#ifdef CONFIG_HAVE_SPARSE_SYSCALL_NR
	if (xa_is_err(xa_store(&trace_syscall_sparse, slot, meta, GFP_KERNEL)))
		pr_warn("No memory for the events of %s\n", meta->name);
#else
	trace_syscall_table[slot] = meta;
#endif
}

void __init init_ftrace_syscalls(void)
{
	int nr;

	for (nr = 0; nr < NR_syscalls; nr++)
		fill_slot(nr, arch_syscall_addr(nr));
#ifdef ARCH_TRACE_COMPAT_SYSCALLS
	for (nr = 0; nr < ARCH_TRACE_COMPAT_SYSCALLS; nr++)
		fill_slot(NR_syscalls + nr, arch_compat_syscall_addr(nr));
#endif
	for (nr = 0; nr < TRACE_SYSCALL_SLOTS; nr++) {
		const struct syscall_metadata *meta = trace_syscall_meta(nr);

		if (!meta)
			continue;
		trace_syscall_find_forms(meta);
		trace_syscall_find_descriptors(meta);
	}
}

/* For histograms: what the field __syscall_nr, or a plain native number, stands for */
const char *get_syscall_name(int syscall)
{
	struct syscall_metadata *meta;
	unsigned int slot = syscall;

	if (TRACE_SYSCALL_HAS_COMPAT && slot & TRACE_SYSCALL_COMPAT) {
		slot = (slot & ~TRACE_SYSCALL_COMPAT) + NR_syscalls;
		if (slot < NR_syscalls || slot >= TRACE_SYSCALL_SLOTS)
			return NULL;
	} else if (slot >= NR_syscalls) {
		return NULL;
	}
	meta = trace_syscall_meta(slot);
	return meta ? meta->name : NULL;
}
