// SPDX-License-Identifier: GPL-2.0
/*
 * Location views: gcc numbers the states at one address, because an assignment may take
 * no instruction.  View 0 of a function's first address is the state before anything
 * was assigned.
 *
 * A location list with views (DW_AT_GNU_locviews in the same entry) has a pair of numbers
 * for each range, immediately before the list (dwarf2out.cc:
 * dwarf2out_locviews_in_attribute(), output_loc_list()).
 */
#include <dwarf.h>
#include <string.h>

#include "views.h"

/* Size of the header of a list table; split DWARF's offsets count from its end: DWARF5 7.29 */
#define HEADER_SIZE	12

static Elf_Data *find_section(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *is;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS)
			continue;
		is = elf_strptr(elf, names, sh.sh_name);
		if (is && !strcmp(is, name))
			return elf_getdata(scn, NULL);
	}
	return NULL;
}

static Elf_Data *list_section(Dwarf_Die *die)
{
	Elf *elf = dwarf_getelf(dwarf_cu_getdwarf(die->cu));
	Dwarf_Half version;
	Elf_Data *data;

	if (!elf || dwarf_cu_info(die->cu, &version, NULL, NULL, NULL, NULL,
				  NULL, NULL))
		return NULL;
	data = find_section(elf, version < 5 ? ".debug_loc" : ".debug_loclists");
	return data ? data : find_section(elf, version < 5 ? ".debug_loc.dwo" :
						".debug_loclists.dwo");
}

static bool read_number(const Elf_Data *data, uint64_t *at, uint64_t *number)
{
	const unsigned char *bytes = data->d_buf;

	*number = 0;
	for (unsigned int shift = 0; shift < 64 && *at < data->d_size; shift += 7) {
		unsigned char byte = bytes[(*at)++];

		*number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/* The offset of the numbers in their section */
static bool find_numbers(Dwarf_Die *die, Dwarf_Attribute *list, uint64_t *at)
{
	if (!die_number(die, DW_AT_GNU_locviews, at))
		return false;
	if (dwarf_whatform(list) == DW_FORM_loclistx)
		*at += HEADER_SIZE;
	return true;
}

/**
 * views_begin - the view with which a range of a location list begins
 * @views: the views of the unit
 * @die: the entry that has the list
 * @list: its DW_AT_location
 * @range: number of the range
 * @view: set to the view; 0 if the list has none
 *
 * Return: false if it cannot be told.
 */
bool views_begin(const Elf_Data *views, Dwarf_Die *die, Dwarf_Attribute *list,
		 unsigned int range, uint64_t *view)
{
	uint64_t at, end;

	*view = 0;
	if (!dwarf_hasattr(die, DW_AT_GNU_locviews))
		return true;
	if (!find_numbers(die, list, &at))
		return false;
	for (unsigned int i = 0; i <= range; i++)
		if (!read_number(views, &at, view) ||
		    !read_number(views, &at, &end))
			return false;
	return true;
}

static bool has_views(Dwarf_Die *function)
{
	enum die_found found;
	Dwarf_Die die;

	for (found = die_child(function, &die); found == DIE_FOUND;
	     found = die_next(&die, &die))
		if (dwarf_hasattr(&die, DW_AT_GNU_locviews))
			return true;
	return false;
}

/**
 * views_of - the views of a unit's lists of locations
 * @unit: the unit
 *
 * A compiler that writes views omits them only for lists in which all are 0.  Nearly
 * every function has a list with others, so looking at the functions tells.
 *
 * Return: the section that they are in, NULL if there are none.
 */
const Elf_Data *views_of(Dwarf_Die *unit)
{
	enum die_found found;
	Dwarf_Die die;

	for (found = die_child(unit, &die); found == DIE_FOUND;
	     found = die_next(&die, &die)) {
		const Elf_Data *views;

		if (dwarf_tag(&die) != DW_TAG_subprogram || !has_views(&die))
			continue;
		views = list_section(unit);
		return views && views->d_buf ? views : NULL;
	}
	return NULL;
}
