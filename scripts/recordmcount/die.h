/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading DWARF entries (DIEs) with all the doubts that a file deserves.
 */
#ifndef DIE_H
#define DIE_H

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "abi.h"
#include "arch.h"

/* Deeper than any sensible type or chain of entries. */
#define DIE_MAX_DEPTH		48

/* What die_type() and others find. */
enum die_found {
	DIE_ERROR = -1,
	DIE_NONE,
	DIE_FOUND,
};

enum die_found die_ref(Dwarf_Die *die, unsigned int attr, Dwarf_Die *to);
bool die_attr(Dwarf_Die *die, unsigned int name, Dwarf_Attribute *attr);
bool die_number(Dwarf_Die *die, unsigned int name, uint64_t *value);
bool die_flag(Dwarf_Die *die, unsigned int name);
bool die_flag_origin(Dwarf_Die *die, unsigned int name);
const char *die_string(Dwarf_Die *die, unsigned int name);
enum die_found die_origin(Dwarf_Die *die, Dwarf_Die *origin);
bool die_source(const Dwarf_Die *die, Dwarf_Die *source);
enum die_found die_type(Dwarf_Die *die, Dwarf_Die *type);
enum die_found die_child(Dwarf_Die *die, Dwarf_Die *child);
enum die_found die_next(Dwarf_Die *die, Dwarf_Die *next);
bool die_is_qualifier(unsigned int tag);
enum die_found die_peel(Dwarf_Die *type);
bool die_array_dim(Dwarf_Die *array, unsigned int which, uint64_t *count,
		   bool *known);

#endif /* DIE_H */
