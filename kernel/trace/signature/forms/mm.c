// SPDX-License-Identifier: GPL-2.0
/* Memory: address spaces, areas, pages. */
#include <linux/ioport.h>
#include <linux/mm_types.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/scatterlist.h>

#include "form.h"

/* The flags by name; the node, the zone and so on are in the same word */
static void print_page_flags(struct trace_seq *s, const void *value, unsigned int size,
			     unsigned int how)
{
	unsigned long flags;

	memcpy(&flags, value, sizeof(flags));
	trace_seq_printf(s, "%pGp", &flags);
}

static void print_vm_flags(struct trace_seq *s, const void *value, unsigned int size,
			   unsigned int how)
{
	unsigned long flags;

	memcpy(&flags, value, sizeof(flags));
	trace_seq_printf(s, "%pGv", &flags);
}

FORM_OF_STRUCT(mm_struct,
	FILE("exe", struct mm_struct, exe_file),
	MEMBER("users", struct mm_struct, mm_users, form_signed));

FORM_OF_STRUCT(vm_area_struct,
	MEMBER("start", struct vm_area_struct, vm_start, form_pointer),
	MEMBER("end", struct vm_area_struct, vm_end, form_pointer),
	MEMBER("flags", struct vm_area_struct, vm_flags, print_vm_flags),
	FILE("file", struct vm_area_struct, vm_file),
	MEMBER("pgoff", struct vm_area_struct, vm_pgoff, form_unsigned));

FORM_OF_STRUCT(vm_fault,
	MEMBER("address", struct vm_fault, real_address, form_pointer),
	MEMBER("flags", struct vm_fault, flags, form_hex),
	MEMBER("pgoff", struct vm_fault, pgoff, form_unsigned));

FORM_OF_STRUCT(page,
	MEMBER("flags", struct page, flags, print_page_flags),
	MEMBER("refcount", struct page, _refcount, form_signed),
	MEMBER("mapping", struct page, mapping, form_pointer),
	MEMBER("index", struct page, index, form_unsigned));

FORM_OF_STRUCT(folio,
	MEMBER("flags", struct folio, flags, print_page_flags),
	MEMBER("refcount", struct folio, _refcount, form_signed),
	MEMBER("mapping", struct folio, mapping, form_pointer),
	MEMBER("index", struct folio, index, form_unsigned));

FORM_OF_STRUCT(zone, STRING("", struct zone, name));

FORM_OF_STRUCT(resource,
	STRING("name", struct resource, name),
	MEMBER("start", struct resource, start, form_hex),
	MEMBER("end", struct resource, end, form_hex),
	MEMBER("flags", struct resource, flags, form_hex));

FORM_OF_STRUCT(scatterlist,
	MEMBER("offset", struct scatterlist, offset, form_unsigned),
	MEMBER("length", struct scatterlist, length, form_unsigned));
