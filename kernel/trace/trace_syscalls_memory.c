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
 * The rest is read when the call has returned: a page that the kernel has read is there. So
 * is anonymous memory that nobody has touched: mapping it here would cost the program memory
 * that it never asked for, or a huge page that it did.
 *
 * The registers of a device are not read at all, since reading can change them.
 */
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/pagemap.h>
#include <linux/rcupdate.h>
#include <linux/seqlock.h>
#include <linux/uaccess.h>

#include "trace_syscalls_memory.h"

static bool is_device(const struct vm_area_struct *vma)
{
	return READ_ONCE(vma->vm_flags) & (VM_IO | VM_PFNMAP);
}

/* Where the first area of a device begins, if any of it is up to @last */
#ifdef CONFIG_PER_VMA_LOCK
static void note_area(const struct vm_area_struct *vma, unsigned int seq)
{
	struct trace_syscall_state *state = current->trace_syscall;

	if (state)
		trace_syscall_task_of(state)->area = (struct trace_syscall_area) {
			READ_ONCE(vma->vm_start), READ_ONCE(vma->vm_end), seq,
		};
}

/* Areas are freed after a grace period of RCU, so that no lock is needed to look at one */
static unsigned long find_device(struct mm_struct *mm, unsigned long address, unsigned long last)
{
	MA_STATE(mas, &mm->mm_mt, address, address);
	unsigned int seq = raw_read_seqcount(&mm->mm_lock_seq);
	struct vm_area_struct *vma;

	guard(rcu)();
	vma = mas_walk(&mas);
	/* An odd number says that the areas are being changed */
	if (vma && !is_device(vma) && !(seq & 1))
		note_area(vma, seq);
	for (; vma; vma = mas_find(&mas, last)) {
		if (unlikely(is_device(vma)))
			return READ_ONCE(vma->vm_start);
		if (likely(READ_ONCE(vma->vm_end) > last))
			break;
	}
	return ULONG_MAX;
}
#else
/* Is a page of memory mapped there? Registers are mapped as special, and have no page. */
static bool is_memory(unsigned long address)
{
	struct page *page;

	if (!get_user_page_fast_only(address, 0, &page))
		return false;
	put_page(page);
	return true;
}

/*
 * Mapped memory is found without the lock. If a thread holds the lock, nothing else is known
 * now, but it may be at the return.
 */
static unsigned long find_device(struct mm_struct *mm, unsigned long address, unsigned long last)
{
	unsigned long found = ULONG_MAX;
	struct vm_area_struct *vma;

	while (is_memory(address)) {
		address = (address & PAGE_MASK) + PAGE_SIZE;
		if (address > last)
			return found;
	}
	if (!mmap_read_trylock(mm))
		return address;
	for (vma = find_vma(mm, address); vma && vma->vm_start <= last;
	     vma = find_vma(mm, vma->vm_end)) {
		if (is_device(vma)) {
			found = vma->vm_start;
			break;
		}
	}
	mmap_read_unlock(mm);
	return found;
}
#endif

/**
 * trace_syscall_look - as trace_syscall_readable(), where it was not read just before
 * @address: where it is; may be any
 * @size: how many bytes; not 0; may reach beyond what is mapped
 *
 * Context: a task that may sleep.
 * Return: see trace_syscall_readable().
 */
unsigned int trace_syscall_look(unsigned long address, unsigned int size)
{
	struct mm_struct *mm = current->mm;
	unsigned long device;

	address = untagged_addr(address);
	if (unlikely(!mm || !access_ok((void __user *)address, 1)))
		return 0;
	device = find_device(mm, address, address + size - 1);
	return device > address ? min_t(unsigned long, size, device - address) : 0;
}

/* A page that is not there now is not waited for */
static bool fault_in(unsigned long address, unsigned int flags)
{
	flags |= FOLL_NOWAIT | FOLL_HONOR_NUMA_FAULT;
	return get_user_pages(address, 1, flags, NULL) == 1;
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
	mapped = folio_test_uptodate(folio) && fault_in(address, 0);
	folio_put(folio);
	return mapped;
}

/*
 * A fault in anonymous memory finds a page or gives up; a swapped one is only asked for, and
 * with FOLL_DUMP there is no fault where nothing was. Files whose pages are mapped from the
 * page cache have map_pages(). What the fault handler of a driver does is not known.
 */
static bool map_in_area(struct vm_area_struct *vma, unsigned long address)
{
	if (vma_is_anonymous(vma))
		return fault_in(address, FOLL_DUMP);
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

	if (unlikely(size && trace_syscall_readable(address, size) != size))
		return false;
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
