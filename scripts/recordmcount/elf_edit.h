/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Changing an ELF file in memory.
 */
#ifndef ELF_EDIT_H
#define ELF_EDIT_H

#include "elf_object.h"

uint32_t object_section_symbol(struct object *obj, uint32_t sec);
uint32_t object_add_section(struct object *obj, const char *name,
			    uint32_t type, uint64_t flags, uint64_t align,
			    const void *data, size_t size);
void object_append(struct object *obj, uint32_t sec, const void *data,
		   size_t size);
void object_add_relocs(struct object *obj, uint32_t target,
		       const struct reloc *rels, size_t nr);
void object_remove_section(struct object *obj, uint32_t sec);
void object_strip_debug(struct object *obj);

#endif /* ELF_EDIT_H */
