// SPDX-License-Identifier: GPL-2.0
/*
 * Ring buffer torture test: reading sub-buffers that are mapped into the memory
 * of a process: of that which loads the module.
 */
#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/trace_mmap.h>
#include <linux/uaccess.h>

#include "ring_buffer_page.h"
#include "ring_buffer_torture.h"

/* Sub-buffers that are read in a mapping at most */
#define RBT_MAP_TURNS	20

/**
 * struct rbt_mapping - the ring of a CPU, mapped
 * @cpu:	the CPU
 * @base:	address of the meta page
 * @size:	bytes of all of the mapping
 * @meta:	a copy of the figures in it
 * @page:	a copy of the reader's sub-buffer
 * @id:		which one that was
 * @time:	and of which time
 */
struct rbt_mapping {
	struct rbt_cpu			*cpu;
	unsigned long			base;
	unsigned long			size;
	struct trace_buffer_meta	meta;
	struct rb_subbuf		*page;
	u32				id;
	u64				time;
};

static void rbt_map_close(struct vm_area_struct *vma)
{
	struct rbt_cpu *cpu = vma->vm_file->private_data;
	int err = ring_buffer_torture_unmap(rbt.buffer, cpu->nr);

	if (err)
		rbt_fail("cpu %d: unmapping failed: %d", cpu->nr, err);
}

static const struct vm_operations_struct rbt_map_vm_ops = {
	.close = rbt_map_close,
};

static int rbt_map_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct rbt_cpu *cpu = file->private_data;
	int err = ring_buffer_torture_map(rbt.buffer, cpu->nr, vma);

	if (!err) {
		vm_flags_set(vma, VM_DONTCOPY);
		vma->vm_ops = &rbt_map_vm_ops;
	}
	return err;
}

static const struct file_operations rbt_map_fops = {
	.owner	= THIS_MODULE,
	.mmap	= rbt_map_mmap,
};

/* Get the figures and the reader's sub-buffer. */
static bool rbt_map_look(struct rbt_mapping *map)
{
	unsigned long at;

	if (copy_from_user(&map->meta, (void __user *)map->base, sizeof(map->meta)))
		return false;
	at = map->base + map->meta.meta_page_size +
	     (unsigned long)map->meta.reader.id * map->meta.subbuf_size;
	return !copy_from_user(map->page, (void __user *)at, map->meta.subbuf_size);
}

/* Of events lost before what is new, the figures tell, or a new sub-buffer's header. */
static void rbt_map_lost(struct rbt_mapping *map, u32 from, u32 size)
{
	unsigned long commit = local_read(&map->page->commit), lost;

	rbt_note_lost(map->cpu, map->meta.reader.lost_events);
	if (from)
		return;
	if (commit & RB_MISSED_COUNT) {
		memcpy(&lost, map->page->data + size, sizeof(lost));
		rbt_note_lost(map->cpu, lost);
	} else if (commit & RB_MISSED) {
		rbt_note_lost_some(map->cpu);
	}
}

/*
 * Go on reading. What the figures say is read already is ours then; there may
 * be more in the sub-buffer by now. Returns whether there was something.
 */
static bool rbt_map_read(struct rbt_mapping *map)
{
	u32 from = map->meta.reader.read, to, size;

	if (ring_buffer_torture_map_get_reader(rbt.buffer, map->cpu->nr) ||
	    !rbt_map_look(map)) {
		rbt_fail("cpu %d: a mapping cannot be read", map->cpu->nr);
		return false;
	}
	if (map->id != map->meta.reader.id || map->time != map->page->time_stamp)
		from = 0;
	map->id = map->meta.reader.id;
	map->time = map->page->time_stamp;
	to = map->meta.reader.read;
	size = local_read(&map->page->commit) & ~RB_MISSED_FLAGS;
	if (to > size || from > to) {
		rbt_fail("cpu %d: bytes %u to %u of %u are read of a mapped sub-buffer",
			 map->cpu->nr, from, to, size);
		return false;
	}
	rbt_map_lost(map, from, size);
	rbt_check_page(map->cpu, map->page, from, to);
	return to > from;
}

/* The whole ring is mapped: read on from where others have left off. */
static bool rbt_map_read_some(struct rnd_state *rnd, struct rbt_mapping *map)
{
	u32 turns = 1 + rbt_random(rnd, RBT_MAP_TURNS), n = 0;

	map->page = kvmalloc(map->meta.subbuf_size, GFP_KERNEL);
	if (!map->page)
		return false;
	if (rbt_map_look(map)) {
		map->id = map->meta.reader.id;
		map->time = map->page->time_stamp;
		while (turns--)
			n += rbt_map_read(map);
	} else {
		rbt_fail("cpu %d: a mapping cannot be read", map->cpu->nr);
	}
	kvfree(map->page);
	return n;
}

/* How large all is stands in the first page: that is mapped by itself first. */
static bool rbt_map_all(struct file *file, struct rbt_mapping *map)
{
	unsigned long first;
	bool ok;

	first = vm_mmap(file, 0, PAGE_SIZE, PROT_READ, MAP_SHARED, 0);
	if (IS_ERR_VALUE(first))
		return false;
	ok = !copy_from_user(&map->meta, (void __user *)first, sizeof(map->meta));
	if (ok) {
		map->size = map->meta.meta_page_size +
			    (unsigned long)map->meta.nr_subbufs * map->meta.subbuf_size;
		map->base = vm_mmap(file, 0, map->size, PROT_READ, MAP_SHARED, 0);
		ok = !IS_ERR_VALUE(map->base);
	}
	vm_munmap(first, PAGE_SIZE);
	return ok;
}

/*
 * Read some CPU's ring in a mapping. While it is mapped, it is not swapped; who
 * would do that needs the lock, too.
 *
 * Context: of a process with memory of its own.
 */
bool rbt_map(struct rnd_state *rnd)
{
	struct rbt_mapping map = { .cpu = rbt_random_cpu(rnd) };
	bool done = false;
	struct file *file;

	file = anon_inode_getfile("[ring_buffer_torture]", &rbt_map_fops, map.cpu, O_RDONLY);
	if (IS_ERR(file))
		return false;
	mutex_lock(&map.cpu->lock);
	if (rbt_map_all(file, &map)) {
		done = rbt_map_read_some(rnd, &map);
		vm_munmap(map.base, map.size);
	}
	mutex_unlock(&map.cpu->lock);
	/* the file must be gone before the module is, should it fail to load */
	__fput_sync(file);
	return done;
}
