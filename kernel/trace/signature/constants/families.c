// SPDX-License-Identifier: GPL-2.0
/* Read the file "families"; its head describes the form. */
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"

/*
 * Names that count or delimit others, which no pattern of a family means.  A family
 * that needs one spells it out.
 */
static const char * const never[] = {
	"*_FIRST", "*_LAST", "*_MAX", "*_MASK", "*_NR", "*_SHIFT", "*_BIT", "*_BITS", "NR_*",
	NULL
};

const char *rule_word(const struct rule *rule, size_t i)
{
	return i < rule->words.nr ? rule->words.items[i] : NULL;
}

bool word_is_exclusion(const char *word)
{
	return word[0] == '-' && !isdigit(word[1]);
}

bool word_is_pattern(const char *word)
{
	return strchr(word, '*');
}

/**
 * excluded - whether a pattern of a family must not match a name
 * @family: the family
 * @name: the name of a constant
 *
 * Return: true if it must not.
 */
bool excluded(const struct family *family, const char *name)
{
	const struct list *words = &family->rule->words;
	size_t i;

	for (i = 0; never[i]; i++) {
		if (!fnmatch(never[i], name, 0))
			return true;
	}
	for (i = 3; i < words->nr; i++) {
		const char *word = words->items[i];

		if (word_is_exclusion(word) && !fnmatch(word + 1, name, 0))
			return true;
	}
	return false;
}

static void add_words(struct list *words, char *line)
{
	char *word;

	for (word = strtok(line, " \t"); word; word = strtok(NULL, " \t"))
		list_add(words, word);
}

static void add_family(struct data *data, const struct rule *rule)
{
	static const char * const kinds[] = {
		"flags", "values", "bits", "octal", "ioctl", "decimal", "hex", "device",
		"address", "user", "errno", "number", NULL
	};
	struct family *family = allocate(sizeof(*family));
	size_t i;

	family->rule = rule;
	family->name = rule_word(rule, 1);
	family->kind = rule_word(rule, 2);
	if (!family->kind)
		fail(data, rule->line, "a family needs a name and a kind");
	for (i = 0; i < data->families.nr; i++) {
		const struct family *other = data->families.items[i];

		if (!strcmp(other->name, family->name))
			fail(data, rule->line, "second family %s", family->name);
	}
	for (i = 0; kinds[i]; i++) {
		if (!strcmp(kinds[i], family->kind)) {
			list_add(&data->families, family);
			return;
		}
	}
	fail(data, rule->line, "unknown kind %s", family->kind);
}

static void add_rule(struct data *data, struct rule *rule)
{
	static const char * const keys[] = { "typedef", "param", "result", "member", NULL };
	const char *key = rule_word(rule, 0);
	size_t i, least = !strcmp(key, "param") || !strcmp(key, "member") ? 4 : 3;

	if (!strcmp(key, "family")) {
		add_family(data, rule);
		return;
	}
	for (i = 0; keys[i]; i++) {
		if (!strcmp(keys[i], key) && rule->words.nr >= least) {
			list_add(&data->rules, rule);
			return;
		}
	}
	fail(data, rule->line, "unknown or incomplete rule %s", key);
}

/**
 * read_families - read the data
 * @data: where to
 * @path: the file
 */
void read_families(struct data *data, const char *path)
{
	struct list rules = { 0 };
	unsigned int number = 0;
	char *line, *next;
	size_t i;

	data->path = path;
	for (line = read_file(path); line; line = next) {
		bool continues = *line == ' ' || *line == '\t';
		struct rule *rule;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		number++;
		if (strchr(line, '#'))
			*strchr(line, '#') = '\0';
		if (!line[strspn(line, " \t")])
			continue;
		if (!continues) {
			rule = allocate(sizeof(*rule));
			rule->line = number;
			list_add(&rules, rule);
		} else if (!rules.nr) {
			fail(data, number, "the first line continues nothing");
		}
		rule = rules.items[rules.nr - 1];
		add_words(&rule->words, line);
	}
	for (i = 0; i < rules.nr; i++)
		add_rule(data, rules.items[i]);
}
