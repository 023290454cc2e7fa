// SPDX-License-Identifier: GPL-2.0
/*
 * Reading the functions of an object from its DWARF.  libdwfl applies the
 * relocations of the debug sections and gives each section an address.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "functions.h"
#include "views.h"

/* Ignore separate debug files: they may belong to another build. */
static int find_no_debuginfo(Dwfl_Module *mod, void **userdata,
			     const char *name, Dwarf_Addr base,
			     const char *file, const char *link, GElf_Word crc,
			     char **out)
{
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf	 = dwfl_build_id_find_elf,
	.find_debuginfo	 = find_no_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static bool section_addresses(struct functions *fns, Dwfl_Module *mod,
			      Dwarf_Addr dwarf_bias)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(mod, &bias);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	if (!elf || elf_getshdrnum(elf, &fns->nr_sections))
		return false;
	fns->sections = xcalloc(fns->nr_sections, sizeof(*fns->sections));
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh))
			return false;
		fns->sections[elf_ndxscn(scn)] = sh.sh_addr + bias - dwarf_bias;
	}
	return true;
}

static const char *open_dwarf(struct functions *fns, const char *path)
{
	Dwarf_Addr bias, cfi_bias = 0;
	Dwfl_Module *mod;
	int fd;

	fns->dwfl = dwfl_begin(&callbacks);
	if (!fns->dwfl)
		return dwfl_errmsg(-1);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return "cannot open";
	dwfl_report_begin(fns->dwfl);
	mod = dwfl_report_offline(fns->dwfl, path, path, fd);
	if (!mod) {
		close(fd);
		return dwfl_errmsg(-1);
	}
	dwfl_report_end(fns->dwfl, NULL, NULL);
	fns->dwarf = dwfl_module_getdwarf(mod, &bias);
	if (!fns->dwarf)
		return dwfl_errmsg(-1);
	fns->cfi = dwfl_module_dwarf_cfi(mod, &cfi_bias);
	fns->cfi_shift = bias - cfi_bias;
	return section_addresses(fns, mod, bias) ? NULL : dwfl_errmsg(-1);
}

static bool language_is_c(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case 0x2c:	/* DW_LANG_C17 */
	case 0x3e:	/* DW_LANG_C23 */
		return true;
	default:
		return false;
	}
}

/*
 * The last occurrence of a flag in the producer, in which gcc records its flags unless
 * -gno-record-gcc-switches is given; NULL if there is none.
 */
static const char *last_flag(const char *producer, const char *flag)
{
	size_t len = strlen(flag);
	const char *found = NULL;

	for (const char *at = producer; at && (at = strchr(at, ' '));) {
		at++;
		if (!strncmp(at, flag, len) && (!at[len] || at[len] == ' '))
			found = at;
	}
	return found;
}

static bool is_optimized(const char *producer)
{
	bool optimized = false;

	for (const char *at = producer; at && (at = strstr(at, " -O"));) {
		at += strlen(" -O");
		optimized = *at != '0';
	}
	return optimized;
}

/* Whether the compiler tracked variables (-fvar-tracking); clang always does. */
static bool tracks_values(const char *producer, bool is_clang)
{
	return is_clang || (is_optimized(producer) &&
			    !last_flag(producer, "-fno-var-tracking"));
}

/*
 * Views separate what comes in from what is assigned first, because each statement
 * begins a view.  They do not if gcc marks no statements, or does not track assignments,
 * which it also gives up by itself in functions that are too large.
 */
static bool marks_statements(const char *producer)
{
	return !last_flag(producer, "-gno-statement-frontiers") &&
	       !last_flag(producer, "-fno-var-tracking-assignments") &&
	       !(producer && strstr(producer, " --param=max-vartrack-size="));
}

static enum struct_return struct_return(const char *producer)
{
	const char *in_registers = last_flag(producer, "-freg-struct-return");
	const char *in_memory = last_flag(producer, "-fpcc-struct-return");

	if (!producer || !strstr(producer, " -m"))
		return STRUCT_RETURN_UNKNOWN;
	if (!in_registers || (in_memory && in_memory > in_registers))
		return STRUCT_RETURN_MEMORY;
	return STRUCT_RETURN_REGISTERS;
}

/* The major version; 0 if it isn't gcc's C */
static unsigned int gcc_version(const char *producer)
{
	unsigned int version;

	if (!producer || sscanf(producer, "GNU C%*s %u", &version) != 1)
		return 0;
	return version;
}

/* The last -mregparm */
static int regparm(const char *producer)
{
	static const char flag[] = " -mregparm=";
	int found = -1;

	for (const char *at = producer; at && (at = strstr(at, flag));) {
		at += strlen(flag);
		found = atoi(at);
	}
	return found;
}

static uint32_t add_unit(struct functions *fns, Dwarf_Die *die,
			 Dwarf_Half version)
{
	const char *producer = die_string(die, DW_AT_producer);
	bool is_clang = producer && strstr(producer, "clang");
	bool tracks = tracks_values(producer, is_clang);

	GROW(fns->units, fns->nr_units, fns->room_units);
	fns->units[fns->nr_units] = (struct unit){
		.die = *die,
		.is_c = language_is_c(die),
		.is_clang = is_clang,
		.no_alignment = producer && strstr(producer, "strict-dwarf") &&
				version < 5,
		.tracks = tracks,
		.views = tracks && !is_clang && marks_statements(producer) ?
			 views_of(die) : NULL,
		.gcc = gcc_version(producer),
		.regparm = regparm(producer),
		.struct_return = struct_return(producer),
	};
	return fns->nr_units++;
}

/* asm("...") behind a declaration gives a function another symbol. */
static const char *symbol_name(Dwarf_Die *die)
{
	const char *name = die_string(die, DW_AT_linkage_name);

	return name ? name : die_string(die, DW_AT_name);
}

/**
 * function_name - the name that the symbol of a function should have
 * @die: its entry, or that of a concrete instance
 *
 * Return: the name, NULL if there is none.
 */
const char *function_name(Dwarf_Die *die)
{
	Dwarf_Die at = *die, origin;

	for (int i = 0; i < DIE_MAX_DEPTH; i++) {
		const char *name = symbol_name(&at);

		if (name)
			return name;
		if (die_origin(&at, &origin) != DIE_FOUND)
			return NULL;
		at = origin;
	}
	return NULL;
}

static void add_plain(struct functions *fns, Dwarf_Die *die, uint32_t unit)
{
	const char *name = symbol_name(die);

	if (!name || die_flag(die, DW_AT_declaration))
		return;
	GROW(fns->plain, fns->nr_plain, fns->room_plain);
	fns->plain[fns->nr_plain++] = (struct function_die){
		.die = *die, .unit = unit, .name = name,
	};
}

static void add_function(struct functions *fns, Dwarf_Die *die, uint32_t unit)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;
	bool any = false;

	if (!dwarf_hasattr(die, DW_AT_low_pc) &&
	    !dwarf_hasattr(die, DW_AT_ranges)) {
		add_plain(fns, die, unit);
		return;
	}
	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		any = true;
		GROW(fns->coded, fns->nr_coded, fns->room_coded);
		fns->coded[fns->nr_coded++] = (struct function_die){
			.die = *die, .unit = unit, .low = low, .high = high,
		};
	}
	if (at < 0 || !any)
		fns->broken = true;
}

/*
 * The functions of C are children of the unit; only nested functions, an
 * extension that the kernel doesn't use, are not.
 */
static void add_functions(struct functions *fns, Dwarf_Die *unit,
			  Dwarf_Half version)
{
	uint32_t index = add_unit(fns, unit, version);
	enum die_found found;
	Dwarf_Die die;

	if (!fns->units[index].is_c)
		return;
	for (found = die_child(unit, &die); found == DIE_FOUND;
	     found = die_next(&die, &die))
		if (dwarf_tag(&die) == DW_TAG_subprogram)
			add_function(fns, &die, index);
	if (found == DIE_ERROR)
		fns->broken = true;
}

static void add_units(struct functions *fns)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	Dwarf_Half version;
	uint8_t type;
	int err;

	while (!(err = dwarf_get_units(fns->dwarf, cu, &cu, &version, &type,
				       &die, &split))) {
		if (type == DW_UT_skeleton && split.addr)
			add_functions(fns, &split, version);
		else if (type == DW_UT_compile)
			add_functions(fns, &die, version);
	}
	if (err < 0)
		fns->broken = true;
}

static int by_low(const void *a, const void *b)
{
	const struct function_die *f = a, *g = b;

	if (f->low != g->low)
		return f->low < g->low ? -1 : 1;
	return f->high < g->high ? -1 : f->high > g->high;
}

static int by_name(const void *a, const void *b)
{
	const struct function_die *f = a, *g = b;
	int order = strcmp(f->name, g->name);

	if (order)
		return order;
	return f->unit < g->unit ? -1 : f->unit > g->unit;
}

/**
 * functions_open - read all functions of an object
 * @fns: filled, to be closed by functions_close(), after a failure too
 * @path: the file
 *
 * Return: NULL, or why there is nothing to read.
 */
const char *functions_open(struct functions *fns, const char *path)
{
	const char *why;

	memset(fns, 0, sizeof(*fns));
	why = open_dwarf(fns, path);
	if (why || !fns->dwarf)
		return why ? why : "no DWARF";
	add_units(fns);
	if (!fns->nr_units)
		return "no DWARF";
	if (fns->nr_coded)
		qsort(fns->coded, fns->nr_coded, sizeof(*fns->coded), by_low);
	if (fns->nr_plain)
		qsort(fns->plain, fns->nr_plain, sizeof(*fns->plain), by_name);
	return NULL;
}

/**
 * functions_close - free what functions_open() allocated
 * @fns: the functions
 */
void functions_close(struct functions *fns)
{
	free(fns->sections);
	free(fns->units);
	free(fns->coded);
	free(fns->plain);
	if (fns->dwfl)
		dwfl_end(fns->dwfl);
	memset(fns, 0, sizeof(*fns));
}

/**
 * functions_at - the function at an address
 * @fns: the functions
 * @addr: address as in the DWARF
 *
 * Return: the function, NULL if none or several have code there.
 */
const struct function_die *functions_at(const struct functions *fns,
					Dwarf_Addr addr)
{
	uint32_t low = 0, high = fns->nr_coded;
	const struct function_die *f;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (fns->coded[mid].low <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return NULL;
	f = &fns->coded[low - 1];
	if (addr >= f->high)
		return NULL;
	if (low > 1 && addr < f[-1].high && f[-1].die.addr != f->die.addr)
		return NULL;
	return f;
}

static uint32_t find_name(const struct functions *fns, const char *name)
{
	uint32_t low = 0, high = fns->nr_plain;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (strcmp(fns->plain[mid].name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/**
 * functions_named - a function that has code but, in DWARF, no address
 * @fns: the functions
 * @name: its name
 * @addr: its address
 * @nr: set to the number of functions of that name
 *
 * gcc merges functions with identical code (-fipa-icf).  A merged function that needs an
 * address of its own becomes a jump to the other one, and has no code in DWARF.
 *
 * Return: a function of that name, the only one if @nr is 1, in a unit that
 * has code at @addr or is the only unit; NULL if there is none.
 */
const struct function_die *functions_named(const struct functions *fns,
					   const char *name, Dwarf_Addr addr,
					   uint32_t *nr)
{
	uint32_t first = find_name(fns, name), i;
	const struct function_die *here = NULL;
	uint32_t nr_here = 0;

	for (i = first; i < fns->nr_plain &&
	     !strcmp(fns->plain[i].name, name); i++) {
		Dwarf_Die unit = fns->units[fns->plain[i].unit].die;

		if (dwarf_haspc(&unit, addr) == 1) {
			if (!here)
				here = &fns->plain[i];
			nr_here++;
		}
	}
	*nr = nr_here;
	if (here || i == first || fns->nr_units > 1)
		return here;
	*nr = i - first;
	return &fns->plain[first];
}

static bool frame_base(Dwarf_Frame *frame, unsigned int *reg, uint64_t *offset)
{
	Dwarf_Op *ops;
	size_t nr;

	if (dwarf_frame_cfa(frame, &ops, &nr) || nr != 1 ||
	    ops[0].atom != DW_OP_bregx)
		return false;
	*reg = ops[0].number;
	*offset = ops[0].number2;
	return true;
}

/**
 * functions_frame - where the CFA is at an address
 * @fns: the functions
 * @addr: address as in the DWARF
 * @reg: set to the DWARF number of a register
 * @offset: set to what the CFA is above that register
 *
 * Return: false if it isn't known, or isn't told by a register.
 */
bool functions_frame(const struct functions *fns, Dwarf_Addr addr,
		     unsigned int *reg, uint64_t *offset)
{
	Dwarf_Frame *frame;
	bool found;

	if (!fns->cfi ||
	    dwarf_cfi_addrframe(fns->cfi, addr + fns->cfi_shift, &frame))
		return false;
	found = frame_base(frame, reg, offset);
	free(frame);
	return found;
}

/* Bits of those of @regs that the frame saves in memory */
static uint32_t saved_in(Dwarf_Frame *frame, uint32_t regs)
{
	uint32_t saved = 0;

	for (unsigned int reg = 0; reg < 32; reg++) {
		Dwarf_Op room[3], *ops;
		size_t nr;

		if (regs & 1u << reg &&
		    !dwarf_frame_register(frame, reg, room, &ops, &nr) && nr)
			saved |= 1u << reg;
	}
	return saved;
}

static void add_frame(struct frames *frames, Dwarf_Frame *frame, uint32_t regs,
		      uint64_t *first)
{
	unsigned int reg = 0;
	uint64_t offset = 0;

	frames->saved |= saved_in(frame, regs);
	if (!frame_base(frame, &reg, &offset) || reg >= 32) {
		frames->is_steady = false;
		return;
	}
	if (!frames->bases)
		*first = offset;
	frames->bases |= 1u << reg;
	if (offset != *first || frames->bases & (frames->bases - 1))
		frames->is_steady = false;
}

/**
 * functions_frames - what the call frames of a function tell
 * @fns: the functions
 * @start: its start
 * @end: its end
 * @regs: bits of DWARF numbers of the registers of interest
 * @frames: filled
 *
 * Return: false if there are none.
 */
bool functions_frames(const struct functions *fns, Dwarf_Addr start,
		      Dwarf_Addr end, uint32_t regs, struct frames *frames)
{
	Dwarf_Addr at = start + fns->cfi_shift, stop = end + fns->cfi_shift, next;
	uint64_t first = 0;

	*frames = (struct frames){ .is_steady = true };
	while (fns->cfi && at < stop) {
		Dwarf_Frame *frame;

		if (dwarf_cfi_addrframe(fns->cfi, at, &frame))
			return false;
		add_frame(frames, frame, regs, &first);
		if (dwarf_frame_info(frame, NULL, &next, NULL) < 0 || next <= at)
			next = stop;
		free(frame);
		at = next;
	}
	return fns->cfi && start < end;
}
