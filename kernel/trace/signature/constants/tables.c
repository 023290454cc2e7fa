// SPDX-License-Identifier: GPL-2.0
/* Print the tables in C; "tables.h" describes their form. */
#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "tables.h"

/* A constant in a family, or a field; @nr: how many constants the field has */
struct entry {
	const char		*name;
	unsigned long long	value;
	unsigned int		nr;
};

struct output {
	const struct data	*data;
	struct list		constants;	/* struct constant, in the headers' order */
	struct list		strings;	/* char, in the order of their offsets */
	unsigned int		strings_size;
	unsigned int		nr_words;
};

static void sort(struct list *list, int (*compare)(const void *, const void *))
{
	if (list->nr)
		qsort(list->items, list->nr, sizeof(*list->items), compare);
}

/* Strings */

static unsigned int string(struct output *o, const char *text)
{
	unsigned int offset = 0;
	size_t i;

	for (i = 0; i < o->strings.nr; i++) {
		const char *known = o->strings.items[i];

		if (!strcmp(known, text))
			return offset;
		offset += strlen(known) + 1;
	}
	list_add(&o->strings, (void *)text);
	o->strings_size = offset + strlen(text) + 1;
	return offset;
}

static void print_strings(const struct output *o)
{
	size_t i;

	printf("const char ftrace_constants_strings[] =");
	for (i = 0; i < o->strings.nr; i++)
		printf("\n\t\"%s\\0\"", (const char *)o->strings.items[i]);
	printf(";\n\n");
}

/* Constants */

static void read_constants(struct output *o, const char *path)
{
	char *line, *next;

	for (line = read_file(path); *line; line = next) {
		struct constant *constant = allocate(sizeof(*constant));
		char *high, *low;

		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		high = strchr(line, ' ');
		low = high ? strchr(high + 1, ' ') : NULL;
		if (!low) {
			fprintf(stderr, "%s: no value: %s\n", path, line);
			exit(1);
		}
		*high = '\0';
		constant->name = line;
		constant->value = (unsigned long long)strtol(high + 1, NULL, 10) << 32 |
				  (uint32_t)strtol(low + 1, NULL, 10);
		list_add(&o->constants, constant);
	}
}

static const struct constant *find_constant(const struct output *o, const char *name)
{
	size_t i;

	for (i = 0; i < o->constants.nr; i++) {
		const struct constant *constant = o->constants.items[i];

		if (!strcmp(constant->name, name))
			return constant;
	}
	return NULL;
}

/* Families */

static bool is_flags(const struct family *family)
{
	return !strcmp(family->kind, "flags") || !strcmp(family->kind, "octal") ||
	       !strcmp(family->kind, "bits");
}

/*
 * The highest bit of an int makes the constant negative, but stays a bit.  A family
 * of the kind "bits" has the numbers of bits.
 */
static unsigned long long flag_value(const struct family *family, long long value)
{
	if (!strcmp(family->kind, "bits"))
		return value >= 0 && value < 64 ? 1ULL << value : 0;
	if (value < 0 && value >= INT32_MIN)
		return (uint32_t)value;
	return value;
}

static struct entry *find_entry(const struct list *entries, unsigned long long value)
{
	size_t i;

	for (i = 0; i < entries->nr; i++) {
		struct entry *entry = entries->items[i];

		if (!entry->nr && entry->value == value)
			return entry;
	}
	return NULL;
}

/* The first name of a value is the one to print. */
static void add_entry(struct list *entries, const char *name, unsigned long long value)
{
	struct entry *entry;

	if (find_entry(entries, value))
		return;
	entry = allocate(sizeof(*entry));
	entry->name = name;
	entry->value = value;
	list_add(entries, entry);
}

/* A pattern means single bits; names of several bits or of none are spelled out. */
static bool pattern_takes(const struct family *family, const char *pattern,
			  const struct constant *constant, bool in_field)
{
	unsigned long long bits = flag_value(family, constant->value);

	if (fnmatch(pattern, constant->name, 0) || excluded(family, constant->name))
		return false;
	return !is_flags(family) || in_field || (bits && !(bits & (bits - 1)));
}

static void add_constants(const struct output *o, const struct family *family,
			  struct list *entries, const char *word, bool in_field)
{
	const struct constant *constant;
	size_t i;

	if (!word_is_pattern(word)) {
		constant = find_constant(o, word);
		if (constant)
			add_entry(entries, constant->name,
				  is_flags(family) ?
				  flag_value(family, constant->value) :
				  (unsigned long long)constant->value);
		return;
	}
	for (i = 0; i < o->constants.nr; i++) {
		constant = o->constants.items[i];
		if (pattern_takes(family, word, constant, in_field))
			add_entry(entries, constant->name, is_flags(family) ?
				  flag_value(family, constant->value) :
				  (unsigned long long)constant->value);
	}
}

static bool field_mask(const struct output *o, const struct family *family,
		       const char *text, unsigned long long *mask)
{
	const struct constant *constant = find_constant(o, text);
	char *end;

	if (constant) {
		*mask = flag_value(family, constant->value);
		return true;
	}
	*mask = strtoull(text, &end, 0);
	return !*end;
}

/* A field: "MASK:NAME,NAME,PATTERN" */
static void add_field(const struct output *o, const struct family *family,
		      struct list *entries, const char *word)
{
	char *text = strdup(word), *names = strchr(text, ':'), *name;
	struct entry *field = allocate(sizeof(*field));
	struct list members = { 0 };
	size_t i;

	*names++ = '\0';
	if (!field_mask(o, family, text, &field->value))
		return;
	for (name = strtok(names, ","); name; name = strtok(NULL, ","))
		add_constants(o, family, &members, name, true);
	for (i = 0; i < members.nr; i++) {
		const struct entry *member = members.items[i];

		if (member->value & ~field->value)
			fail(o->data, family->rule->line, "%s has bits outside of %s",
			     member->name, text);
	}
	if (!members.nr)
		return;
	field->name = text;
	field->nr = members.nr;
	list_add(entries, field);
	for (i = 0; i < members.nr; i++)
		list_add(entries, members.items[i]);
}

static int compare_values(const void *a, const void *b)
{
	const struct entry *x = *(const struct entry * const *)a;
	const struct entry *y = *(const struct entry * const *)b;

	return x->value < y->value ? -1 : x->value > y->value;
}

static unsigned int entries_width(const struct list *entries)
{
	bool is_unsigned = true, is_signed = true;
	size_t i;

	for (i = 0; i < entries->nr; i++) {
		const struct entry *entry = entries->items[i];
		long long value = entry->value;

		is_unsigned &= entry->value <= UINT32_MAX;
		is_signed &= value >= INT32_MIN && value <= INT32_MAX;
	}
	return is_unsigned ? FTRACE_FAMILY_UNSIGNED :
	       is_signed ? FTRACE_FAMILY_SIGNED : FTRACE_FAMILY_WIDE;
}

static struct list family_entries(const struct output *o, const struct family *family)
{
	const struct list *words = &family->rule->words;
	struct list entries = { 0 };
	size_t i;

	for (i = 3; i < words->nr; i++) {
		const char *word = words->items[i];

		if (word_is_exclusion(word))
			continue;
		if (!strchr(word, ':'))
			add_constants(o, family, &entries, word, false);
		else if (is_flags(family))
			add_field(o, family, &entries, word);
		else
			fail(o->data, family->rule->line, "only flags have fields");
	}
	return entries;
}

static const char *kind_name(const struct family *family)
{
	static const char * const names[][2] = {
		{ "flags",	"FTRACE_FAMILY_FLAGS" },
		{ "bits",	"FTRACE_FAMILY_FLAGS" },
		{ "octal",	"FTRACE_FAMILY_OCTAL" },
		{ "values",	"FTRACE_FAMILY_VALUES" },
		{ "ioctl",	"FTRACE_FAMILY_IOCTL" },
		{ "decimal",	"FTRACE_FAMILY_DECIMAL" },
		{ "hex",	"FTRACE_FAMILY_HEX" },
		{ "device",	"FTRACE_FAMILY_DEVICE" },
		{ "address",	"FTRACE_FAMILY_ADDRESS" },
		{ "user",	"FTRACE_FAMILY_USER" },
		{ "errno",	"FTRACE_FAMILY_ERRNO" },
		{ "number",	"FTRACE_FAMILY_NUMBER" },
	};
	size_t i;

	for (i = 0; strcmp(names[i][0], family->kind); i++)
		;
	return names[i][1];
}

static unsigned int print_entries(struct output *o, const struct family *family,
				  struct list *entries, unsigned int width)
{
	unsigned int first = o->nr_words;
	size_t i;

	printf("\t/* %s */\n", family->name);
	for (i = 0; i < entries->nr; i++) {
		const struct entry *entry = entries->items[i];
		unsigned int name = entry->nr ? FTRACE_CONSTANTS_FIELD | entry->nr :
						string(o, entry->name);

		printf("\t0x%x, 0x%x,", name, (uint32_t)entry->value);
		if (width == FTRACE_FAMILY_WIDE)
			printf(" 0x%x,", (uint32_t)(entry->value >> 32));
		printf("\n");
		o->nr_words += width == FTRACE_FAMILY_WIDE ? 3 : 2;
	}
	return first;
}

/* As "width" stores them: numbers of 32 bits without sign, or of 64 */
static void sort_entries(struct list *entries, unsigned int width)
{
	size_t i;

	for (i = 0; i < entries->nr && width != FTRACE_FAMILY_WIDE; i++) {
		struct entry *entry = entries->items[i];

		entry->value = (uint32_t)entry->value;
	}
	sort(entries, compare_values);
}

static void print_families(struct output *o)
{
	const struct list *families = &o->data->families;
	struct ftrace_family *made = allocate((families->nr + 1) * sizeof(*made));
	size_t i;

	printf("const unsigned int ftrace_constants_words[] = {\n");
	for (i = 0; i < families->nr; i++) {
		const struct family *family = families->items[i];
		struct list entries = family_entries(o, family);

		made[i].width = entries_width(&entries);
		if (!is_flags(family))
			sort_entries(&entries, made[i].width);
		made[i].nr = entries.nr;
		made[i].name = string(o, family->name);
		made[i].first = print_entries(o, family, &entries, made[i].width);
	}
	/* Standard C has no empty arrays */
	printf("\t0\n};\n\nconst struct ftrace_family ftrace_families[] = {\n");
	for (i = 0; i < families->nr; i++)
		printf("\t{ %u, %u, %u, %s, %u },\n", made[i].name, made[i].first,
		       made[i].nr, kind_name(families->items[i]), made[i].width);
	printf("};\n\nconst unsigned int ftrace_families_nr = %zu;\n\n", families->nr);
}

/* Rules */

/* A rule for one name; @size as in struct ftrace_family_rule */
struct target {
	const char	*key;
	const char	*scope;
	unsigned int	family;
	unsigned int	size;
};

static unsigned int find_family(const struct data *data, const struct rule *rule)
{
	const char *name = rule_word(rule, 1);
	size_t i;

	for (i = 0; i < data->families.nr; i++) {
		const struct family *family = data->families.items[i];

		if (!strcmp(family->name, name))
			return i;
	}
	fail(data, rule->line, "no family %s", name);
}

static int compare_targets(const void *a, const void *b)
{
	const struct target *x = *(const struct target * const *)a;
	const struct target *y = *(const struct target * const *)b;
	int order = strcmp(x->key, y->key);

	if (!order && (x->size || y->size))
		order = x->size > y->size ? -1 : x->size < y->size;
	return order ? order : strcmp(x->scope, y->scope);
}

/* The size of a typedef, or 0 if there is no such type */
static unsigned int type_size(const struct output *o, const char *name)
{
	const struct constant *constant;
	char size[256];

	snprintf(size, sizeof(size), "sizeof(%s)", name);
	constant = find_constant(o, size);
	return constant ? constant->value : 0;
}

static void add_target(const struct output *o, struct list *targets,
		       const struct rule *rule, const char *key, const char *scope,
		       unsigned int size)
{
	struct target *target = allocate(sizeof(*target));
	size_t i;

	for (i = 0; i < targets->nr; i++) {
		const struct target *other = targets->items[i];

		if (!strcmp(other->key, key) && !strcmp(other->scope, scope) &&
		    other->size == size)
			fail(o->data, rule->line, "second rule for %s %s", key, scope);
	}
	target->key = key;
	target->scope = scope;
	target->size = size;
	target->family = find_family(o->data, rule);
	list_add(targets, target);
}

/* A function, or with a * the beginning of the names of some */
static void add_function(const struct output *o, struct list *targets,
			 const struct rule *rule, const char *name, const char *function,
			 bool prefixes)
{
	const char *star = strchr(function, '*');
	size_t size = star ? star - function : 0;

	if (!!star != prefixes)
		return;
	if (!star)
		add_target(o, targets, rule, name, function, 0);
	else if (star[1])
		fail(o->data, rule->line, "%s: * must be the last", function);
	else
		add_target(o, targets, rule, name, strndup(function, size), 1 + size);
}

/* A line "param FAMILY NAMES FUNCTION..."; NAMES are separated by commas */
static void add_params(const struct output *o, struct list *targets,
		       const struct rule *rule, bool prefixes)
{
	char *names = strdup(rule_word(rule, 2)), *name;
	size_t i;

	for (name = strtok(names, ","); name; name = strtok(NULL, ",")) {
		for (i = 3; i < rule->words.nr; i++)
			add_function(o, targets, rule, name, rule->words.items[i],
				     prefixes);
	}
}

/* A result is the parameter "return", which C allows no parameter to be. */
static void add_results(const struct output *o, struct list *targets,
			const struct rule *rule, bool prefixes)
{
	size_t i;

	for (i = 2; i < rule->words.nr; i++)
		add_function(o, targets, rule, "return", rule->words.items[i], prefixes);
}

static void add_typedefs(const struct output *o, struct list *targets,
			 const struct rule *rule)
{
	size_t i;

	for (i = 2; i < rule->words.nr; i++) {
		const char *name = rule->words.items[i];

		if (type_size(o, name))
			add_target(o, targets, rule, name, "", type_size(o, name));
	}
}

static void add_members(const struct output *o, struct list *targets,
			const struct rule *rule)
{
	size_t i;

	for (i = 3; i < rule->words.nr; i++)
		add_target(o, targets, rule, rule->words.items[i], rule_word(rule, 2), 0);
}

static void print_rules(struct output *o, const char *key, bool prefixes,
			const char *array)
{
	struct list targets = { 0 };
	size_t i;

	for (i = 0; i < o->data->rules.nr; i++) {
		const struct rule *rule = o->data->rules.items[i];
		const char *kind = rule_word(rule, 0);

		if (!strcmp(key, "typedef") && !strcmp(kind, key))
			add_typedefs(o, &targets, rule);
		else if (!strcmp(key, "member") && !strcmp(kind, key))
			add_members(o, &targets, rule);
		else if (!strcmp(key, "param") && !strcmp(kind, key))
			add_params(o, &targets, rule, prefixes);
		else if (!strcmp(key, "param") && !strcmp(kind, "result"))
			add_results(o, &targets, rule, prefixes);
	}
	sort(&targets, compare_targets);

	printf("static const struct ftrace_family_rule ftrace_constants_%s[] = {\n", array);
	for (i = 0; i < targets.nr; i++) {
		const struct target *target = targets.items[i];

		printf("\t{ %u, %u, %u, %u },\t/* %s %s */\n", string(o, target->key),
		       string(o, target->scope), target->family, target->size,
		       target->key, target->scope);
	}
	printf("\t{ 0 }\n};\n\nconst struct ftrace_family_rules ftrace_family_%s = {\n", array);
	printf("\tftrace_constants_%s, %zu\n};\n\n", array, targets.nr);
}

/**
 * print_tables - print the tables in C
 * @data: the families
 * @path: a file with lines "EXPRESSION HIGH LOW"
 */
void print_tables(const struct data *data, const char *path)
{
	struct output o = { .data = data };

	read_constants(&o, path);
	string(&o, "");
	printf("/* Made from the file \"families\" */\n");
	printf("#include \"tables.h\"\n\n");
	print_families(&o);
	print_rules(&o, "typedef", false, "typedefs");
	print_rules(&o, "param", false, "params");
	print_rules(&o, "param", true, "param_prefixes");
	print_rules(&o, "member", false, "members");
	print_strings(&o);
}
