/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions that the DWARF of an object describes.
 */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include <elfutils/libdwfl.h>

#include "die.h"

/**
 * struct unit - a compilation unit
 * @die: its entry
 * @is_c: written in C
 * @is_clang: compiled by clang; otherwise taken for gcc
 * @no_alignment: it cannot have DW_AT_alignment (-gstrict-dwarf before 5)
 * @tracks: the compiler tracked variables; otherwise a location in a register holds
 *	at some time, not necessarily at the entry
 * @views: the section with the views of its location lists, if they separate what comes
 *	in from what is assigned at the same address; NULL if not
 * @gcc: the major version of gcc, 0 if it is another compiler
 * @regparm: parameters that functions have in registers, as its flags tell; -1 if
 *	they don't
 * @struct_return: where small structures come back, as its flags tell
 */
struct unit {
	Dwarf_Die	die;
	bool		is_c;
	bool		is_clang;
	bool		no_alignment;
	bool		tracks;
	const Elf_Data	*views;
	unsigned int	gcc;
	int		regparm;
	enum struct_return struct_return;
};

/**
 * struct function_die - a function in DWARF
 * @die: its entry; the concrete one if it has code
 * @unit: index of its unit
 * @low: start of a range of addresses; one entry per range
 * @high: end of the range
 * @name: its symbol, for functions without code
 */
struct function_die {
	Dwarf_Die	die;
	uint32_t	unit;
	Dwarf_Addr	low;
	Dwarf_Addr	high;
	const char	*name;
};

/**
 * struct functions - the functions of an object
 * @dwfl: libdwfl's session
 * @dwarf: the DWARF, relocated
 * @cfi: the call frames (.debug_frame), NULL if there are none
 * @cfi_shift: to be added to an address in @dwarf for one in @cfi
 * @sections: address of each section in @dwarf
 * @nr_sections: number of @sections
 * @units: compilation units
 * @nr_units: number of @units
 * @coded: functions with code, sorted by @low
 * @nr_coded: number of @coded
 * @plain: functions defined in the source that have no address, sorted by name
 * @nr_plain: number of @plain
 * @broken: some of the DWARF could not be read
 */
struct functions {
	Dwfl		*dwfl;
	Dwarf		*dwarf;
	Dwarf_CFI	*cfi;
	Dwarf_Addr	cfi_shift;
	Dwarf_Addr	*sections;
	size_t		nr_sections;
	struct unit	*units;
	uint32_t	nr_units;
	uint32_t	room_units;
	struct function_die *coded;
	uint32_t	nr_coded;
	uint32_t	room_coded;
	struct function_die *plain;
	uint32_t	nr_plain;
	uint32_t	room_plain;
	bool		broken;
};

/**
 * struct frames - what the call frames of a function tell
 * @saved: bits of registers that it saves, in all of it or in a part
 * @bases: bits of registers that the CFA is found by
 * @is_steady: the stack pointer stays where it is
 */
struct frames {
	uint32_t	saved;
	uint32_t	bases;
	bool		is_steady;
};

const char *functions_open(struct functions *fns, const char *path);
void functions_close(struct functions *fns);
const struct function_die *functions_at(const struct functions *fns,
					Dwarf_Addr addr);
const struct function_die *functions_named(const struct functions *fns,
					   const char *name, Dwarf_Addr addr,
					   uint32_t *nr);
bool functions_frame(const struct functions *fns, Dwarf_Addr addr,
		     unsigned int *reg, uint64_t *offset);
bool functions_frames(const struct functions *fns, Dwarf_Addr start,
		      Dwarf_Addr end, uint32_t regs, struct frames *frames);
const char *function_name(Dwarf_Die *die);

#endif /* FUNCTIONS_H */
