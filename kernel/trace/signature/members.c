// SPDX-License-Identifier: GPL-2.0
/* Find the members of structures and unions. */
#include <linux/string.h>

#include "signature.h"

/* Anonymous structures within each other, and members that a search looks at */
#define MAX_ANONYMOUS	16
#define MAX_STEPS	65536

/**
 * ftrace_sig_member - a member of a structure or union
 * @table: the table that contains the type
 * @type: the structure or union
 * @i: number of the member, less than ftrace_sig_nr_members()
 * @m: filled in
 *
 * Context: any.
 */
void ftrace_sig_member(const struct ftrace_sig_table *table,
		       const struct ftrace_sig_type *type, u32 i,
		       struct ftrace_sig_member *m)
{
	const u32 *words = type->words + 3 + i * FTRACE_SIG_MEMBER_WORDS;

	m->name = ftrace_sig_string(table, FTRACE_SIG_ID(words[0]));
	m->width = FTRACE_SIG_BITS(words[0]);
	m->type = words[1];
	m->offset = words[2];
}

/*
 * A search for one name; @steps is what remains of MAX_STEPS, so that a table made
 * for it cannot hold up the search.
 */
struct search {
	const struct ftrace_sig_table	*table;
	const char			*name;
	size_t				len;
	unsigned int			steps;
};

static bool is_name(const struct search *search, const char *name)
{
	return !strncmp(name, search->name, search->len) && !name[search->len];
}

/* The members of an anonymous structure are found as if they were the outer one's. */
static bool find_name(struct search *search, u32 type_id, unsigned int depth,
		      struct ftrace_sig_member *m)
{
	struct ftrace_sig_type type = ftrace_sig_resolve(search->table, type_id);
	u32 i, nr = ftrace_sig_nr_members(&type);

	for (i = 0; i < nr && search->steps; i++) {
		u32 offset;

		search->steps--;
		ftrace_sig_member(search->table, &type, i, m);
		if (is_name(search, m->name))
			return true;
		offset = m->offset;
		if (!m->name[0] && depth < MAX_ANONYMOUS &&
		    find_name(search, m->type, depth + 1, m)) {
			m->offset += offset;
			return true;
		}
	}
	return false;
}

/**
 * ftrace_sig_member_find - find a member by its name
 * @table: the table that contains the type
 * @type_id: the structure or union, or a typedef or qualifier of one
 * @name: the name, or several with dots between, as in "f_path.dentry"
 * @len: length of @name
 * @m: filled in if there is such a member; its offset is the one in @type_id
 *
 * Members of anonymous structures and unions are found as C finds them.  Pointers are
 * not followed.
 *
 * Context: any.
 * Return: true if there is such a member.
 */
bool ftrace_sig_member_find(const struct ftrace_sig_table *table, u32 type_id,
			    const char *name, size_t len,
			    struct ftrace_sig_member *m)
{
	struct search search = { .table = table, .steps = MAX_STEPS };
	u32 offset = 0;

	for (;;) {
		const char *dot = memchr(name, '.', len);

		search.name = name;
		search.len = dot ? dot - name : len;
		if (!search.len || !find_name(&search, type_id, 0, m))
			return false;
		m->offset += offset;
		if (!dot)
			return true;
		offset = m->offset;
		type_id = m->type;
		len -= dot + 1 - name;
		name = dot + 1;
	}
}
