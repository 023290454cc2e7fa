// SPDX-License-Identifier: GPL-2.0
/*
 * Reading user memory without waiting.
 *
 * A traced call must end as it does without tracing, and as soon. The kernel may never look
 * at what an argument points to: write() with an invalid descriptor returns at once. If its
 * page comes from a handler of userfaultfd or from a file system of a program, reading it
 * could last for ever. So only what is in memory is read. If it is not mapped yet, it is
 * mapped here.
 *
 * The rest is read when the call has returned: a page that the kernel has read is there.
 */
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/uaccess.h>

#include "trace_syscalls_memory.h"

/* A page that is not there now is not waited for */
static bool fault_in(unsigned long address)
{
	return get_user_pages(address, 1, FOLL_NOWAIT | FOLL_HONOR_NUMA_FAULT, NULL) == 1;
}

/*
 * Map a file's page if it is in the page cache. The file system is not asked for it. While
 * the folio is held, it is not reclaimed, and so the fault finds it.
 */
static bool map_cached(struct vm_area_struct *vma, unsigned long address)
{
	pgoff_t index = linear_page_index(vma, address);
	struct folio *folio = filemap_get_folio(vma->vm_file->f_mapping, index);
	bool mapped;

	if (IS_ERR(folio))
		return false;
	mapped = folio_test_uptodate(folio) && fault_in(address);
	folio_put(folio);
	return mapped;
}

/*
 * A fault in anonymous memory finds a page or gives up; a swapped one is only asked for.
 * Files whose pages are mapped from the page cache have map_pages(). What the fault handler
 * of a driver does is not known.
 */
static bool map_in_area(struct vm_area_struct *vma, unsigned long address)
{
	if (vma_is_anonymous(vma))
		return fault_in(address);
	return vma->vm_file && vma->vm_ops->map_pages && map_cached(vma, address);
}

/* The lock is only tried, because a thread that holds it may itself wait for long */
static bool map_page(unsigned long address)
{
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;
	bool mapped = false;

	if (!mm || !mmap_read_trylock(mm))
		return false;
	address = untagged_addr(address);
	vma = vma_lookup(mm, address);
	if (vma)
		mapped = map_in_area(vma, address);
	mmap_read_unlock(mm);
	return mapped;
}

static bool map_pages(unsigned long address, unsigned int size)
{
	unsigned long at;

	for (at = address & PAGE_MASK; at < address + size; at += PAGE_SIZE)
		if (!map_page(at))
			return false;
	return true;
}

/**
 * trace_syscall_copy - copy user memory, without waiting for it
 * @to: where to; anything may be there if it cannot be copied
 * @address: where it is; may be any
 * @size: how many bytes
 *
 * Context: a task that may sleep.
 * Return: whether all of it was copied.
 */
bool trace_syscall_copy(void *to, unsigned long address, unsigned int size)
{
	const void __user *from = (const void __user *)address;

	if (likely(!copy_from_user_nofault(to, from, size)))
		return true;
	return access_ok(from, size) && map_pages(address, size) &&
	       !copy_from_user_nofault(to, from, size);
}

/**
 * trace_syscall_map_string - copy a string of which a page is not mapped
 * @to: where to; anything may be there if it cannot be copied
 * @address: where it is; may be any
 * @size: how many bytes are copied at most; not 0
 *
 * The page behind the first is only mapped if the string goes on there.
 *
 * Context: a task that may sleep.
 * Return: see trace_syscall_copy_string().
 */
long trace_syscall_map_string(char *to, unsigned long address, unsigned int size)
{
	unsigned long at = address & PAGE_MASK;
	long length = -EFAULT;

	if (!access_ok((const void __user *)address, 1))
		return length;
	for (; length < 0 && at < address + size && map_page(at); at += PAGE_SIZE)
		length = trace_syscall_copy_mapped_string(to, address, size);
	return length;
}
