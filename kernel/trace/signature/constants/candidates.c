// SPDX-License-Identifier: GPL-2.0
/*
 * Find the macros and enumerators of preprocessed headers whose names a family
 * wants.  Whether such a name stands for an integer constant, and for which, is left
 * to the compiler.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"

/* The masks of fields and the names beneath are separated by ':' and ','. */
static bool word_wants(const char *word, const char *name)
{
	char part[256];
	size_t size;

	for (; *word; word += size + !!word[size]) {
		size = strcspn(word, ":,");
		if (!size || size >= sizeof(part))
			continue;
		memcpy(part, word, size);
		part[size] = '\0';
		if (!fnmatch(part, name, 0))
			return true;
	}
	return false;
}

static bool family_wants(const struct family *family, const char *name)
{
	const struct list *words = &family->rule->words;
	size_t i;

	for (i = 3; i < words->nr; i++) {
		if (!word_is_exclusion(words->items[i]) && word_wants(words->items[i], name))
			return true;
	}
	return false;
}

/* Each name is printed once, at its first place. */
static bool is_new(const char *name)
{
	static void *seen;
	char *copy = strdup(name);
	char **node = copy ? tsearch(copy, &seen, (int (*)(const void *, const void *))strcmp) :
			     NULL;

	if (!node) {
		fprintf(stderr, "generate: no memory\n");
		exit(1);
	}
	return *node == copy;
}

static void consider(const struct data *data, const char *name)
{
	size_t i;

	for (i = 0; i < data->families.nr; i++) {
		if (family_wants(data->families.items[i], name)) {
			if (is_new(name))
				printf("%s\n", name);
			return;
		}
	}
}

static size_t name_size(const char *text)
{
	size_t size = 0;

	while (isalnum(text[size]) || text[size] == '_')
		size++;
	return isdigit(text[0]) ? 0 : size;
}

/* Returns the text behind the name, or NULL if there is no name */
static const char *take_name(const char *text, char *name, size_t room)
{
	size_t size = name_size(text);

	if (!size || size >= room)
		return NULL;
	memcpy(name, text, size);
	name[size] = '\0';
	return text + size;
}

/* A macro with parameters is no constant, nor is one with statements or strings. */
static void consider_macro(const struct data *data, const char *line, size_t size)
{
	char name[256];
	const char *body = take_name(line, name, sizeof(name));

	if (!body || *body == '(')
		return;
	size -= body - line;
	if (!memchr(body, '{', size) && !memchr(body, ';', size) && !memchr(body, '"', size))
		consider(data, name);
}

/* The state of the search for enumerators */
struct enums {
	bool	keyword;	/* behind the word "enum", before the brace */
	int	depth;		/* of brackets in the list; 0: in no list */
	bool	expected;	/* an enumerator's name may come */
};

static void enums_mark(struct enums *e, char mark)
{
	if (e->keyword && !e->depth) {
		e->keyword = mark == '{' || mark == '(' || mark == ')';
		if (mark == '{') {
			e->depth = 1;
			e->expected = true;
		}
	} else if (e->depth) {
		if (strchr("({[", mark))
			e->depth++;
		else if (strchr(")}]", mark))
			e->depth--;
		e->expected = mark == ',' && e->depth == 1;
	}
	if (!e->depth && mark == '}')
		e->keyword = false;
}

static void consider_text(const struct data *data, struct enums *e, const char *text,
			  const char *end)
{
	char name[256];

	while (text < end) {
		size_t size = name_size(text);

		if (!size) {
			if (isdigit(*text))
				while (isalnum(text[1]))
					text++;
			else if (!isspace(*text))
				enums_mark(e, *text);
			text++;
			continue;
		}
		if (size == 4 && !memcmp(text, "enum", 4))
			e->keyword = true;
		else if (e->expected && take_name(text, name, sizeof(name)))
			consider(data, name);
		e->expected = false;
		text += size;
	}
}

static void print_sizes(const struct data *data)
{
	size_t i;

	for (i = 0; i < data->rules.nr; i++) {
		const struct rule *rule = data->rules.items[i];
		char size[256];
		size_t type;

		if (strcmp(rule_word(rule, 0), "typedef"))
			continue;
		for (type = 2; type < rule->words.nr; type++) {
			snprintf(size, sizeof(size), "sizeof(%s)", rule_word(rule, type));
			if (is_new(size))
				printf("%s\n", size);
		}
	}
}

/**
 * print_candidates - print the expressions that the compiler must try
 * @data: the families
 * @path: headers that "gcc -E -dD" has preprocessed
 */
void print_candidates(const struct data *data, const char *path)
{
	static const char define[] = "#define ";
	const char *line = read_file(path);
	struct enums enums = { 0 };

	print_sizes(data);
	while (*line) {
		const char *end = line + strcspn(line, "\n");

		if (!strncmp(line, define, strlen(define)))
			consider_macro(data, line + strlen(define),
				       end - line - strlen(define));
		else if (*line != '#')
			consider_text(data, &enums, line, end);
		line = *end ? end + 1 : end;
	}
}
