// SPDX-License-Identifier: GPL-2.0
/*
 * Reading a table of signatures.  Everything is checked before it is used: a
 * table comes from a file.
 */
#include <stdlib.h>
#include <string.h>

#include "table.h"

static const char *check_header(const struct ftrace_sig_header *h, size_t size)
{
	size_t ip_size = h->flags & FTRACE_SIG_F_OBJECT ? 8 : 4;

	if (size < sizeof(*h) || h->magic != FTRACE_SIG_MAGIC)
		return "no signature table";
	if (h->version != FTRACE_SIG_VERSION)
		return "signature table of another version";
	if (h->size > size || h->size % 8 || h->size < sizeof(*h))
		return "signature table of a wrong size";
	if (h->ips != table_front_size(h->flags) || h->sigs < h->ips || h->protos < h->sigs ||
	    h->types < h->protos || h->strings < h->types ||
	    h->strings_end <= h->strings || h->size < h->strings_end ||
	    (h->sigs | h->protos | h->types | h->strings) % 4)
		return "signature table with parts in wrong places";
	if (h->nr_sites > (h->sigs - h->ips) / ip_size ||
	    h->nr_sites > (h->protos - h->sigs) / 4)
		return "signature table with too many sites";
	return NULL;
}

/* Words behind the two that each type begins with. */
static uint64_t type_tail(const uint32_t *type, uint32_t room)
{
	switch (FTRACE_SIG_TYPE_KIND(type[0])) {
	case FTRACE_SIG_VOID:
	case FTRACE_SIG_INT:
	case FTRACE_SIG_FLOAT:
		return 0;
	case FTRACE_SIG_PTR:
	case FTRACE_SIG_TYPEDEF:
	case FTRACE_SIG_CONST:
	case FTRACE_SIG_VOLATILE:
		return 1;
	case FTRACE_SIG_ARRAY:
		return 2;
	case FTRACE_SIG_ENUM:
		return room < 3 ? ~0ull : 1 + (uint64_t)type[2] *
		       (FTRACE_SIG_TYPE_SIZE(type[0]) == 8 ? 3 : 2);
	case FTRACE_SIG_STRUCT:
	case FTRACE_SIG_UNION:
		return room < 3 ? ~0ull : 1 + (uint64_t)type[2] * 4;
	case FTRACE_SIG_FUNC:
		return room < 4 ? ~0ull : 2 + (uint64_t)type[3];
	default:
		return ~0ull;
	}
}

struct type_check {
	const struct table_view *view;
	unsigned char	*starts;	/* bit map of words where a type starts */
	uint32_t	strings_size;
};

static bool is_start(const struct type_check *tc, uint32_t id)
{
	return id < tc->view->nr_types && tc->starts[id / 8] & 1 << id % 8;
}

static bool find_types(struct type_check *tc)
{
	uint32_t nr = tc->view->nr_types, id = 0;
	const uint32_t *types = tc->view->types;

	if (nr < 2 || types[0] != FTRACE_SIG_TYPE(FTRACE_SIG_VOID, 0, 0))
		return false;
	while (id < nr) {
		uint64_t tail;

		if (nr - id < 2 || types[id + 1] >= tc->strings_size)
			return false;
		tail = type_tail(types + id, nr - id);
		if (tail > nr - id - 2)
			return false;
		tc->starts[id / 8] |= 1 << id % 8;
		id += 2 + tail;
	}
	return true;
}

static bool check_enum(const struct type_check *tc, const uint32_t *type)
{
	uint32_t step = FTRACE_SIG_TYPE_SIZE(type[0]) == 8 ? 3 : 2;

	for (uint32_t i = 0; i < type[2]; i++)
		if (type[3 + i * step] >= tc->strings_size)
			return false;
	return true;
}

static bool check_members(const struct type_check *tc, const uint32_t *type)
{
	for (uint32_t i = 0; i < type[2]; i++)
		if (type[3 + i * 4] >= tc->strings_size ||
		    !is_start(tc, type[4 + i * 4]))
			return false;
	return true;
}

static bool check_func(const struct type_check *tc, const uint32_t *type)
{
	if (!is_start(tc, type[2]))
		return false;
	for (uint32_t i = 0; i < type[3]; i++)
		if (!is_start(tc, type[4 + i]))
			return false;
	return true;
}

static bool check_type(const struct type_check *tc, uint32_t id)
{
	const uint32_t *type = tc->view->types + id;

	switch (FTRACE_SIG_TYPE_KIND(type[0])) {
	case FTRACE_SIG_VOID:
		return id == 0;
	case FTRACE_SIG_ENUM:
		return check_enum(tc, type);
	case FTRACE_SIG_STRUCT:
	case FTRACE_SIG_UNION:
		return check_members(tc, type);
	case FTRACE_SIG_FUNC:
		return check_func(tc, type);
	case FTRACE_SIG_PTR:
		return is_start(tc, type[2]);
	case FTRACE_SIG_ARRAY:
	case FTRACE_SIG_TYPEDEF:
	case FTRACE_SIG_CONST:
	case FTRACE_SIG_VOLATILE:
		return type[2] < id && is_start(tc, type[2]);
	default:
		return true;
	}
}

static bool check_place(const struct ftrace_sig_proto *proto,
			unsigned int place, unsigned int words)
{
	if (FTRACE_SIG_IS_REG(place))
		return words && place + words <= proto->nr_regs;
	if (FTRACE_SIG_IS_STACK(place))
		return words && place - FTRACE_SIG_PLACE_STACK + words <=
		       proto->nr_stack;
	if (place == FTRACE_SIG_PLACE_UNKNOWN)
		return words < FTRACE_SIG_WHY_NR;
	return !words && place <= FTRACE_SIG_PLACE_EMPTY;
}

static bool check_proto(const struct type_check *tc, uint32_t offset)
{
	const struct ftrace_sig_header *h = tc->view->header;
	uint64_t room = h->types - h->protos;
	const struct ftrace_sig_proto *proto;

	if (offset % 4 || offset > room || room - offset < sizeof(*proto))
		return false;
	proto = (const void *)(tc->view->protos + offset);
	room -= offset;
	if (room < sizeof(*proto) + proto->nr_params * sizeof(proto->params[0]) ||
	    room < proto_words(proto) * 4)
		return false;
	if (!is_start(tc, FTRACE_SIG_ID(proto->ret)) ||
	    FTRACE_SIG_BITS(proto->ret) >= FTRACE_SIG_RET_NR ||
	    proto->nr_regs > FTRACE_SIG_MAX_REGS ||
	    proto->nr_stack > FTRACE_SIG_MAX_STACK)
		return false;
	for (unsigned int i = 0; i < proto->nr_params; i++) {
		uint32_t type = proto->params[i].type_place;
		uint32_t name = proto->params[i].name_words;

		if (!is_start(tc, FTRACE_SIG_ID(type)) ||
		    FTRACE_SIG_ID(name) >= tc->strings_size ||
		    !check_place(proto, FTRACE_SIG_BITS(type),
				 FTRACE_SIG_BITS(name)))
			return false;
	}
	return true;
}

static const char *check_content(struct table_view *view)
{
	const struct ftrace_sig_header *h = view->header;
	struct type_check tc = {
		.view = view,
		.starts = xcalloc(view->nr_types / 8 + 1, 1),
		.strings_size = h->strings_end - h->strings,
	};
	const char *why = NULL;

	if (*view->strings || view->strings[tc.strings_size - 1])
		why = "signature table with broken strings";
	if (!why && !find_types(&tc))
		why = "signature table with broken types";
	for (uint32_t id = 0; !why && id < view->nr_types; id++)
		if (is_start(&tc, id) && !check_type(&tc, id))
			why = "signature table with broken types";
	for (uint32_t i = 0; !why && i < h->nr_sites; i++)
		if (!check_proto(&tc, view->sigs[i]))
			why = "signature table with broken prototypes";
	free(tc.starts);
	return why;
}

/**
 * table_read - check a table
 * @view: filled; valid as long as @data is
 * @data: the table, aligned to 4 bytes
 * @size: bytes up to the end of what may be read; the table may be smaller
 *
 * Return: NULL, or why it is no valid table.
 */
const char *table_read(struct table_view *view, const unsigned char *data,
		       size_t size)
{
	const struct ftrace_sig_header *h = (const void *)data;
	const char *why;

	memset(view, 0, sizeof(*view));
	why = check_header(h, size);
	if (why)
		return why;
	if (table_checksum(h) != h->checksum)
		return "signature table with a wrong checksum";
	view->header = h;
	view->ips = data + h->ips;
	view->ip_size = h->flags & FTRACE_SIG_F_OBJECT ? 8 : 4;
	view->sigs = (const uint32_t *)(data + h->sigs);
	view->protos = data + h->protos;
	view->types = (const uint32_t *)(data + h->types);
	view->nr_types = (h->strings - h->types) / 4;
	view->strings = (const char *)data + h->strings;
	return check_content(view);
}

/**
 * table_view_proto - prototype of a call site
 * @view: the table
 * @site: number of the site
 */
const struct ftrace_sig_proto *table_view_proto(const struct table_view *view,
						uint32_t site)
{
	return (const void *)(view->protos + view->sigs[site]);
}

/**
 * proto_words - size of a prototype with all that follows it
 * @proto: the prototype, of which all parameters can be read
 *
 * Return: number of 32-bit words.
 */
size_t proto_words(const struct ftrace_sig_proto *proto)
{
	size_t words = sizeof(*proto) / 4;

	for (unsigned int i = 0; i < proto->nr_params; i++) {
		words += sizeof(proto->params[i]) / 4;
		if (FTRACE_SIG_BITS(proto->params[i].type_place) ==
		    FTRACE_SIG_PLACE_CONST)
			words += 2;
	}
	return words;
}
