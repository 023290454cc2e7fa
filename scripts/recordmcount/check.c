// SPDX-License-Identifier: GPL-2.0
/*
 * Checking the signatures of a linked image.
 */
#include <stdlib.h>
#include <string.h>

#include "apart.h"
#include "arch.h"
#include "check.h"

static int by_value(const void *a, const void *b)
{
	uint64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return x < y ? -1 : x > y;
}

/* The addresses in __mcount_loc, sorted; in an image these may not be yet. */
static uint64_t *read_mcount_loc(const struct object *obj, size_t *nr)
{
	const struct symbol *start = object_find_symbol(obj, "__start_mcount_loc");
	const struct symbol *stop = object_find_symbol(obj, "__stop_mcount_loc");
	unsigned int word = obj->arch->word_size;
	const unsigned char *data;
	uint64_t *list, size;

	if (!start || !stop || stop->sym.st_value < start->sym.st_value) {
		fail(obj->path, "no symbols __start_mcount_loc and __stop_mcount_loc");
		return NULL;
	}
	size = stop->sym.st_value - start->sym.st_value;
	data = object_at(obj, start->sym.st_value, size);
	if (!data) {
		fail(obj->path, "no section holds __start_mcount_loc to __stop_mcount_loc");
		return NULL;
	}
	*nr = size / word;
	list = xcalloc(*nr, sizeof(*list));
	for (size_t i = 0; i < *nr; i++)
		memcpy(&list[i], data + i * word, word);
	qsort(list, *nr, sizeof(*list), by_value);
	return list;
}

/*
 * sorttable clears what it takes for overridden weak functions; those that
 * have a symbol nevertheless still have a signature.
 */
static size_t count_cleared(const uint64_t *locs, size_t nr)
{
	size_t i = 0;

	while (i < nr && !locs[i])
		i++;
	return i;
}

static int check_order(const struct object *obj, const struct table_ip *ips,
		       uint32_t nr)
{
	for (uint32_t i = 1; i < nr; i++) {
		if (ips[i].offset == ips[i - 1].offset)
			return fail(obj->path, "two signatures for 0x%llx",
				    (unsigned long long)ips[i].offset);
		if (ips[i].offset < ips[i - 1].offset)
			return fail(obj->path, "signatures are not sorted at 0x%llx",
				    (unsigned long long)ips[i].offset);
	}
	return 0;
}

static int check_ips(const struct object *obj, const struct table_ip *ips,
		     uint32_t nr, const uint64_t *locs, size_t nr_locs)
{
	size_t cleared = count_cleared(locs, nr_locs);

	for (uint32_t i = 0; i < nr; i++) {
		if (!bsearch(&ips[i].offset, locs, nr_locs, sizeof(*locs),
			     by_value) && !cleared--)
			return fail(obj->path, "signature for 0x%llx, which is not in __mcount_loc",
				    (unsigned long long)ips[i].offset);
	}
	return 0;
}

static int check_against_locs(const struct object *obj,
			      const struct table_ip *ips, uint32_t nr)
{
	size_t nr_locs;
	uint64_t *locs = read_mcount_loc(obj, &nr_locs);
	int err;

	if (!locs)
		return -1;
	err = check_ips(obj, ips, nr, locs, nr_locs);
	free(locs);
	return err;
}

/* Where the direct call at @ip leads, 0 if there is none */
static uint64_t call_target(const struct object *obj, uint64_t ip)
{
	const unsigned char *code = object_at(obj, ip, 5);
	int32_t distance;
	uint64_t target;

	if (!code || !obj->arch->is_direct_call(code))
		return 0;
	memcpy(&distance, code + 1, sizeof(distance));
	target = ip + 5 + distance;
	return obj->arch->word_size == 4 ? (uint32_t)target : target;
}

/* Where tracing is static no list tells of the calls, but they stay. */
static int check_against_code(const struct object *obj,
			      const struct table_ip *ips, uint32_t nr)
{
	const struct symbol *tracer = object_find_symbol(obj, "__fentry__");

	if (!tracer)
		tracer = object_find_symbol(obj, "mcount");
	if (!tracer)
		return fail(obj->path, "it has neither __start_mcount_loc nor a tracer");
	for (uint32_t i = 0; i < nr; i++)
		if (call_target(obj, ips[i].offset) != tracer->sym.st_value)
			return fail(obj->path, "signature for 0x%llx, where %s is not called",
				    (unsigned long long)ips[i].offset, tracer->name);
	return 0;
}

static int check_sites(const struct object *obj, const struct table_ip *ips,
		       uint32_t nr)
{
	if (check_order(obj, ips, nr))
		return -1;
	if (object_find_symbol(obj, "__start_mcount_loc"))
		return check_against_locs(obj, ips, nr);
	return check_against_code(obj, ips, nr);
}

static int check_source(const struct object *obj, uint32_t sec,
			const struct source *src)
{
	uint32_t nr = src->view.header->nr_sites;
	struct table_ip *ips;
	int err;

	if (src->view.header->flags & FTRACE_SIG_F_OBJECT)
		return fail(obj->path, "a table of an object file stands for the image's");
	ips = xcalloc(nr, sizeof(*ips));
	err = read_ips(obj, sec, src, ips);
	if (!err)
		err = check_sites(obj, ips, nr);
	free(ips);
	return err;
}

static int check_own_table(const struct object *obj)
{
	uint32_t sec = object_find_section(obj, FTRACE_SIG_TABLE_SECTION);
	struct sources src;
	int err;

	if (!sec)
		return fail(obj->path, "no section " FTRACE_SIG_TABLE_SECTION);
	err = sources_read(obj, sec, 0, &src);
	if (!err && src.nr != 1)
		err = fail(obj->path, "%u signature tables instead of one",
			   src.nr);
	if (!err)
		err = check_source(obj, sec, &src.list[0]);
	sources_free(&src);
	return err;
}

static int check_apart(const struct object *obj, const char *path)
{
	struct apart apart;
	int err;

	err = apart_open(&apart, path, obj);
	if (!err)
		err = check_sites(obj, apart.ips,
				  apart.src.list[0].view.header->nr_sites);
	apart_close(&apart);
	return err;
}

static int check_object(const struct object *obj, const char *table)
{
	if (obj->ehdr.e_type != ET_EXEC && obj->ehdr.e_type != ET_DYN)
		return fail(obj->path, "not a linked image (ELF type %u)",
			    obj->ehdr.e_type);
	return table ? check_apart(obj, table) : check_own_table(obj);
}

/**
 * check_image - check the signatures of a linked image
 * @path: the image
 * @table: the file that has them, NULL: the image itself
 *
 * The table must be valid, its addresses sorted, without duplicates, and each
 * of them in __mcount_loc, but for as many as entries were cleared there.  Where
 * there is no __mcount_loc, the tracer must be called at each.
 *
 * Return: 0, or -1 after a message.
 */
int check_image(const char *path, const char *table)
{
	struct object obj;
	int err;

	err = object_open(&obj, path);
	if (!err)
		err = check_object(&obj, table);
	object_close(&obj);
	return err;
}
