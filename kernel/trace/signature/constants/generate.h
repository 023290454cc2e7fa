/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations that the files of the generator share. */
#ifndef _CONSTANTS_GENERATE_H
#define _CONSTANTS_GENERATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdnoreturn.h>

/* A list of pointers that grows */
struct list {
	void	**items;
	size_t	nr;
};

/* A line of the file "families", as words */
struct rule {
	unsigned int	line;
	struct list	words;
};

/* A family: its own line, as words, in order */
struct family {
	const struct rule	*rule;
	const char		*name;
	const char		*kind;
};

struct data {
	const char	*path;
	struct list	rules;		/* struct rule: all but the families */
	struct list	families;	/* struct family */
};

/* A constant: a line "EXPRESSION HIGH LOW" that the compiler gave */
struct constant {
	const char	*name;
	long long	value;
};

void list_add(struct list *list, void *item);
void *allocate(size_t size);
noreturn void fail(const struct data *data, unsigned int line, const char *format, ...);
char *read_file(const char *path);

/* families.c */
void read_families(struct data *data, const char *path);
const char *rule_word(const struct rule *rule, size_t i);
bool word_is_exclusion(const char *word);
bool word_is_pattern(const char *word);
bool excluded(const struct family *family, const char *name);

/* candidates.c */
void print_candidates(const struct data *data, const char *path);

/* tables.c */
void print_tables(const struct data *data, const char *path);

#endif /* _CONSTANTS_GENERATE_H */
