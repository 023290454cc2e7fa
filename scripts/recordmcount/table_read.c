// SPDX-License-Identifier: GPL-2.0
/*
 * Reading a table of signatures.  Everything is checked before it is used: a
 * table comes from a file.
 */
#include <stdlib.h>
#include <string.h>

#include "table_read.h"
#include "type_form.h"

static const char *check_header(const struct ftrace_sig_header *h, size_t size)
{
	size_t ip_size;

	if (size < sizeof(*h) || h->magic != FTRACE_SIG_MAGIC)
		return "no signature table";
	if (h->version != FTRACE_SIG_VERSION)
		return "signature table of another version";
	if ((h->word_size != 4 && h->word_size != 8) || h->reserved ||
	    (h->flags && h->flags != FTRACE_SIG_F_OBJECT &&
	     h->flags != FTRACE_SIG_F_APART))
		return "signature table of an unknown kind";
	ip_size = h->flags & FTRACE_SIG_F_OBJECT ? 8 : 4;
	if (h->size > size || h->size % 8 || h->size < sizeof(*h))
		return "signature table of a wrong size";
	if (h->ips < table_front_size(h->flags) || h->sigs < h->ips ||
	    h->protos < h->sigs ||
	    h->types < h->protos || h->strings < h->types ||
	    h->strings_end <= h->strings || h->size < h->strings_end ||
	    (h->ips | h->sigs | h->protos | h->types | h->strings) % 4)
		return "signature table with parts in wrong places";
	if (h->nr_sites > (h->sigs - h->ips) / ip_size ||
	    h->nr_sites > (h->protos - h->sigs) / 4)
		return "signature table with too many sites";
	return NULL;
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
		uint64_t words = type_words(types + id, nr - id);

		if (!words)
			return false;
		tc->starts[id / 8] |= 1 << id % 8;
		id += words;
	}
	return true;
}

/* Every string and every type that it refers to is there. */
static bool check_references(const struct type_check *tc, uint32_t id)
{
	const uint32_t *type = tc->view->types + id;
	uint64_t nr = type_words(type, tc->view->nr_types - id);

	for (uint64_t i = 0; i < nr; i++) {
		switch (type_word(type, i)) {
		case TYPE_WORD_STRING:
			if (type[i] >= tc->strings_size)
				return false;
			break;
		case TYPE_WORD_NAME:
			if (FTRACE_SIG_ID(type[i]) >= tc->strings_size)
				return false;
			break;
		case TYPE_WORD_TYPE:
			if (!is_start(tc, type[i]))
				return false;
			break;
		default:
			break;
		}
	}
	return true;
}

/* What was checked before has a smaller id and ends. */
static bool check_alias(const struct type_check *tc, uint32_t id)
{
	for (unsigned int i = 0; i <= FTRACE_SIG_MAX_ALIASES; i++) {
		const uint32_t *type = tc->view->types + id;

		if (!type_is_alias(type))
			return true;
		if (type[2] >= id)
			return false;
		id = type[2];
	}
	return false;
}

/* The types of members were checked before, because their ids are smaller. */
static bool check_members(const struct type_check *tc, uint32_t id)
{
	const uint32_t *types = tc->view->types, *type = types + id;
	uint32_t nr = FTRACE_SIG_NR_MEMBERS(type[2]);
	uint32_t flags = FTRACE_SIG_TYPE_FLAGS(type[0]);

	if (nr && flags & (FTRACE_SIG_STUB | FTRACE_SIG_DECLARATION))
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		const uint32_t *member = type + 3 + i * FTRACE_SIG_MEMBER_WORDS;

		if (member[1] >= id ||
		    !type_member_fits(type, member, type_meant(types, member[1])))
			return false;
	}
	return true;
}

/* Following the types that another one is made of ends. */
static bool check_order(const struct type_check *tc, uint32_t id)
{
	const uint32_t *type = tc->view->types + id;

	switch (FTRACE_SIG_TYPE_KIND(type[0])) {
	case FTRACE_SIG_VOID:
		return id == 0;
	case FTRACE_SIG_ARRAY:
		return type[2] < id;
	case FTRACE_SIG_STRUCT:
	case FTRACE_SIG_UNION:
		return check_members(tc, id);
	default:
		return check_alias(tc, id);
	}
}

static bool check_type(const struct type_check *tc, uint32_t id)
{
	uint32_t head = tc->view->types[id];

	return type_size_is_valid(FTRACE_SIG_TYPE_KIND(head),
				  FTRACE_SIG_TYPE_SIZE(head),
				  tc->view->header->word_size) &&
	       check_references(tc, id) && check_order(tc, id);
}

/**
 * table_view_type - the type that is meant by a type
 * @view: a table whose types were checked
 * @id: the type
 *
 * Return: its words; it is neither a typedef nor a qualifier.
 */
const uint32_t *table_view_type(const struct table_view *view, uint32_t id)
{
	return type_meant(view->types, id);
}

static uint32_t real_size(const struct type_check *tc, uint32_t id)
{
	return FTRACE_SIG_TYPE_SIZE(table_view_type(tc->view, id)[0]);
}

/*
 * All parameters of the entry of a syscall but the first are the syscall's, in order, and
 * each has one word.
 */
static bool check_syscall_place(unsigned int i, unsigned int place, uint32_t size,
				unsigned int words, uint32_t word_size)
{
	if (!i)
		return place == FTRACE_SIG_PLACE_PT_REGS && !words && size == word_size;
	return FTRACE_SIG_IS_SYSCALL(place) && FTRACE_SIG_SYSCALL_ARG(place) == i - 1 &&
	       words == 1 && size && size <= word_size;
}

static bool is_syscall(const struct ftrace_sig_proto *proto)
{
	return proto->flags & (FTRACE_SIG_SYSCALL | FTRACE_SIG_SYSCALL_32);
}

static bool check_place(const struct type_check *tc,
			const struct ftrace_sig_proto *proto,
			const struct ftrace_sig_param *param)
{
	uint32_t word_size = tc->view->header->word_size;
	uint32_t size = real_size(tc, FTRACE_SIG_ID(param->type_place));
	unsigned int place = FTRACE_SIG_BITS(param->type_place);
	unsigned int words = FTRACE_SIG_BITS(param->name_words);

	if (is_syscall(proto))
		return check_syscall_place(param - proto->params, place, size, words,
					   word_size);
	if (place < FTRACE_SIG_PLACE_CONST &&
	    (!size || words != (size + word_size - 1) / word_size))
		return false;
	if (FTRACE_SIG_IS_REG(place))
		return place + words <= proto->nr_regs;
	if (FTRACE_SIG_IS_STACK(place))
		return place - FTRACE_SIG_PLACE_STACK + words <=
		       proto->nr_stack;
	if (place == FTRACE_SIG_PLACE_UNKNOWN)
		return words < FTRACE_SIG_WHY_NR;
	if (place == FTRACE_SIG_PLACE_CONST && (!size || size > 8))
		return false;
	return !words && place <= FTRACE_SIG_PLACE_EMPTY;
}

static bool check_ret(const struct type_check *tc, uint32_t ret)
{
	uint32_t word_size = tc->view->header->word_size, size;

	if (!is_start(tc, FTRACE_SIG_ID(ret)))
		return false;
	size = real_size(tc, FTRACE_SIG_ID(ret));
	switch (FTRACE_SIG_BITS(ret)) {
	case FTRACE_SIG_RET_WORD:
		return size && size <= word_size;
	case FTRACE_SIG_RET_PAIR:
		return size > word_size && size <= 2 * word_size;
	default:
		return FTRACE_SIG_BITS(ret) < FTRACE_SIG_RET_NR;
	}
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
	if (!check_ret(tc, proto->ret) ||
	    proto->nr_regs > FTRACE_SIG_MAX_REGS ||
	    proto->nr_stack > FTRACE_SIG_MAX_STACK)
		return false;
	if (is_syscall(proto) &&
	    ((proto->flags & FTRACE_SIG_SYSCALL && proto->flags & FTRACE_SIG_SYSCALL_32) ||
	     FTRACE_SIG_BITS(proto->ret) != FTRACE_SIG_RET_WORD || proto->nr_regs ||
	     proto->nr_params != proto->nr_stack + 1))
		return false;
	for (unsigned int i = 0; i < proto->nr_params; i++) {
		const struct ftrace_sig_param *param = &proto->params[i];

		if (!is_start(tc, FTRACE_SIG_ID(param->type_place)) ||
		    FTRACE_SIG_ID(param->name_words) >= tc->strings_size ||
		    !check_place(tc, proto, param))
			return false;
	}
	return true;
}

static bool check_strings(const char *strings, uint32_t size)
{
	if (*strings || strings[size - 1])
		return false;
	for (uint32_t i = 0; i < size; i++)
		if (strings[i] && !is_printable(strings[i]))
			return false;
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

	if (!check_strings(view->strings, tc.strings_size))
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
