// SPDX-License-Identifier: GPL-2.0
/*
 * Definitions for structures that objects know by name only.
 *
 * In the table of an object a member's pointer refers to a stub: a structure's kind and
 * name.  Here, where the types of all objects are in one table, such pointers get the
 * definition.  They get it only if no object has another of that name: then the name has
 * one meaning, even if the object that has the pointer knows no definition at all.
 */
#include <stdlib.h>

#include "resolve.h"
#include "type_form.h"

/* Longer than the chains of typedefs and arrays of any real program. */
#define MAX_DEPTH	128

/* A structure with a name, of which something is known */
struct known {
	uint32_t	kind;
	uint32_t	name;
	uint32_t	size;
	uint32_t	line;
	uint32_t	id;
	bool		full;
};

struct resolver {
	struct table	*table;
	struct known	*list;
	size_t		nr;
	size_t		room;
};

static const uint32_t *types_of(const struct table *table)
{
	return (const uint32_t *)table->types.data;
}

static size_t nr_types_of(const struct table *table)
{
	return table->types.size / 4;
}

static void add_known(struct resolver *r, uint32_t id)
{
	const uint32_t *type = types_of(r->table) + id;
	uint32_t flags;

	if (!type_is_struct(type) || !type[1])
		return;
	flags = FTRACE_SIG_TYPE_FLAGS(type[0]);
	if (flags & FTRACE_SIG_DECLARATION)
		return;
	if (flags & FTRACE_SIG_STUB && !type_is_definition_note(type))
		return;
	GROW(r->list, r->nr, r->room);
	r->list[r->nr++] = (struct known){
		.kind = FTRACE_SIG_TYPE_KIND(type[0]),
		.name = type[1],
		.size = FTRACE_SIG_TYPE_SIZE(type[0]),
		.line = FTRACE_SIG_LINE(type[2]),
		.id = id,
		.full = !(flags & FTRACE_SIG_STUB),
	};
}

static int compare_names(const struct known *k, const struct known *l)
{
	if (k->name != l->name)
		return k->name < l->name ? -1 : 1;
	return k->kind < l->kind ? -1 : k->kind > l->kind;
}

static int by_name(const void *a, const void *b)
{
	const struct known *k = a, *l = b;
	int diff = compare_names(k, l);

	return diff ? diff : k->id < l->id ? -1 : k->id > l->id;
}

/* The first that is not before a name */
static size_t find_name(const struct resolver *r, const struct known *name)
{
	size_t low = 0, high = r->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare_names(&r->list[mid], name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* What a stub stands for: the definition, or else a stub with a size, or itself */
static uint32_t meaning(const struct resolver *r, uint32_t stub)
{
	const uint32_t *type = types_of(r->table) + stub;
	struct known name = {
		.kind = FTRACE_SIG_TYPE_KIND(type[0]), .name = type[1],
	};
	size_t first = find_name(r, &name), nr_full = 0;
	uint32_t id = stub;

	for (size_t i = first; i < r->nr; i++) {
		const struct known *k = &r->list[i];

		if (compare_names(k, &name))
			break;
		if (k->size != r->list[first].size ||
		    k->line != r->list[first].line)
			return stub;
		nr_full += k->full;
		if (k->full || !nr_full)
			id = k->id;
	}
	return nr_full > 1 ? stub : id;
}

static uint32_t copy_with_target(struct resolver *r, uint32_t id,
				 uint32_t target)
{
	const uint32_t *type = types_of(r->table) + id;
	uint32_t words[4], kind = FTRACE_SIG_TYPE_KIND(type[0]);
	uint64_t size;

	for (unsigned int i = 0; i < 3; i++)
		words[i] = type[i];
	words[2] = target;
	if (kind != FTRACE_SIG_ARRAY)
		return table_type(r->table, words, 3);
	words[3] = type[3];
	size = type[3] == UINT32_MAX ? 0 : type[3] *
	       (uint64_t)FTRACE_SIG_TYPE_SIZE(table_type_meant(r->table, target)[0]);
	words[0] = FTRACE_SIG_TYPE(kind, 0, type_size_clamped(size));
	return table_type(r->table, words, 4);
}

/* The type that a pointer should refer to instead of another */
static uint32_t resolved(struct resolver *r, uint32_t id, unsigned int depth)
{
	const uint32_t *type = types_of(r->table) + id;
	uint32_t target;

	if (type_is_struct(type)) {
		if (type[1] && FTRACE_SIG_TYPE_FLAGS(type[0]) &
		    (FTRACE_SIG_STUB | FTRACE_SIG_DECLARATION))
			return meaning(r, id);
		return id;
	}
	if (!type_is_alias(type) &&
	    FTRACE_SIG_TYPE_KIND(type[0]) != FTRACE_SIG_ARRAY)
		return id;
	if (depth > MAX_DEPTH)
		return id;
	target = resolved(r, type[2], depth + 1);
	if (target == TABLE_NONE)
		return TABLE_NONE;
	/* the types may have moved */
	if (target == types_of(r->table)[id + 2])
		return id;
	return copy_with_target(r, id, target);
}

static bool resolve_all(struct resolver *r)
{
	size_t nr = nr_types_of(r->table), id, words;

	for (id = 0; id < nr; id += words) {
		const uint32_t *type = types_of(r->table) + id;
		uint32_t target;

		words = type_words(type, nr - id);
		if (FTRACE_SIG_TYPE_KIND(type[0]) != FTRACE_SIG_PTR)
			continue;
		target = resolved(r, type[2], 0);
		if (target == TABLE_NONE)
			return false;
		((uint32_t *)r->table->types.data)[id + 2] = target;
	}
	return true;
}

/**
 * resolve_pointers - let pointers refer to definitions instead of stubs
 * @table: the table of all objects; only table_build() may follow, because the pointers
 *	in it change
 *
 * Return: false if there is no room.
 */
bool resolve_pointers(struct table *table)
{
	struct resolver r = { .table = table };
	size_t nr = nr_types_of(table);
	bool ok;

	for (size_t id = 0; id < nr; id += type_words(types_of(table) + id, nr - id))
		add_known(&r, id);
	if (r.nr)
		qsort(r.list, r.nr, sizeof(*r.list), by_name);
	ok = resolve_all(&r);
	free(r.list);
	return ok;
}
