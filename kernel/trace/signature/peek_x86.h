/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which of the kernel's addresses are memory.
 *
 * A nofault load survives an address that is not mapped.  It does not help with one
 * that is mapped to a device: there, a load may have an effect.  So only those areas of
 * the address space are read that contain nothing but memory (see
 * Documentation/arch/x86/x86_64/mm.rst), and of the area of vmalloc() and ioremap() only
 * pages that are cached, as memory is and registers of devices are not.
 */
#ifndef _KERNEL_TRACE_SIGNATURE_PEEK_X86_H
#define _KERNEL_TRACE_SIGNATURE_PEEK_X86_H

#include <linux/bits.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/pgtable.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>

#include <asm/cpu_entry_area.h>
#include <asm/e820/api.h>

/* How many bits of an address index a page table */
#define PEEK_TABLE_BITS		(PAGE_SHIFT - ilog2(sizeof(pte_t)))

/*
 * Whether the page is cached memory, by the kernel's page tables.  A table may be freed
 * while it is read.  So entries are read with nofault loads, too, and the answer may be
 * wrong for an area that is being unmapped.  Such an area was memory until now.
 */
static noinline bool peek_is_cached(unsigned long address)
{
	unsigned long table = (unsigned long)swapper_pg_dir;
	unsigned int shift = PGDIR_SHIFT;
	unsigned long bits, index;

	for (;;) {
		index = address >> shift & GENMASK(PEEK_TABLE_BITS - 1, 0);
		/* On x86-32, all tables of the kernel are below 4 GB: the low word tells all */
		__get_kernel_nofault(&bits, table + index * sizeof(pte_t),
				     unsigned long, fault);
		if (!(bits & _PAGE_PRESENT))
			return false;
		/* Without these two bits, a page is cached, whatever PAT contains */
		if (shift == PAGE_SHIFT || bits & _PAGE_PSE)
			return !(bits & (_PAGE_PWT | _PAGE_PCD));
		table = (unsigned long)__va(bits & PTE_PFN_MASK);
		shift -= PEEK_TABLE_BITS;
	}
fault:
	return false;
}

static __always_inline bool peek_in(unsigned long address, unsigned long start,
				    unsigned long end)
{
	return address >= start && address < end;
}

/*
 * The direct mapping has the first megabyte as a whole, with the video memory and ROMs of
 * devices in it.  What is below these is memory, but rarely asked for.
 */
#define PEEK_DIRECT_START	(PAGE_OFFSET + ISA_END_ADDRESS)

static __always_inline bool peek_is_low_memory(unsigned long address)
{
	return peek_in(address, PAGE_OFFSET, PAGE_OFFSET + ISA_START_ADDRESS);
}

#ifdef CONFIG_X86_64

static __always_inline bool peek_is_direct(unsigned long address)
{
	return peek_in(address, PEEK_DIRECT_START, VMALLOC_START);
}

static __always_inline bool peek_is_other_memory(unsigned long address)
{
	return peek_in(address, __START_KERNEL_map, MODULES_END) ||
	       peek_is_low_memory(address) ||
	       peek_in(address, VMEMMAP_START, CPU_ENTRY_AREA_BASE) ||
	       peek_in(address, CPU_ENTRY_AREA_BASE,
		       CPU_ENTRY_AREA_BASE + CPU_ENTRY_AREA_MAP_SIZE);
}

#else

static __always_inline bool peek_is_direct(unsigned long address)
{
	return peek_in(address, PEEK_DIRECT_START, (unsigned long)high_memory);
}

static __always_inline bool peek_is_other_memory(unsigned long address)
{
	return peek_is_low_memory(address) ||
	       peek_in(address, CPU_ENTRY_AREA_BASE,
		       CPU_ENTRY_AREA_BASE + CPU_ENTRY_AREA_MAP_SIZE);
}

#endif

/* Whether a load from this page of the kernel, which may fault, can do nothing else */
static __always_inline bool peek_may_load(unsigned long address)
{
	if (likely(peek_is_direct(address)))
		return true;
	if (peek_in(address, VMALLOC_START, VMALLOC_END))
		return object_is_on_stack((void *)address) || peek_is_cached(address);
	return peek_is_other_memory(address);
}

#endif /* _KERNEL_TRACE_SIGNATURE_PEEK_X86_H */
