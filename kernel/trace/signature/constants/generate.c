// SPDX-License-Identifier: GPL-2.0
/*
 * Make the tables of named constants from the file "families".
 *
 * generate candidates FAMILIES PREPROCESSED
 *	prints the expressions whose values are needed, one a line: names that a
 *	family may want, found in headers that "gcc -E -dD" has preprocessed, and
 *	the sizes of types.  Some are no integer constants.
 * generate tables FAMILIES VALUES
 *	reads lines "EXPRESSION HIGH LOW" of those that are, and prints the tables in C.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"

void *allocate(size_t size)
{
	void *memory = calloc(1, size);

	if (!memory) {
		fprintf(stderr, "generate: no memory\n");
		exit(1);
	}
	return memory;
}

void list_add(struct list *list, void *item)
{
	/* The room doubles whenever the number is a power of two */
	if (!(list->nr & (list->nr - 1))) {
		size_t room = list->nr ? list->nr * 2 : 1;

		list->items = realloc(list->items, room * sizeof(*list->items));
		if (!list->items) {
			fprintf(stderr, "generate: no memory\n");
			exit(1);
		}
	}
	list->items[list->nr++] = item;
}

void fail(const struct data *data, unsigned int line, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s:%u: error: ", data->path, line);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\n");
	exit(1);
}

char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	size_t size = 0, room = 1 << 16;
	char *text = NULL;

	if (!file) {
		perror(path);
		exit(1);
	}
	do {
		room *= 2;
		text = realloc(text, room);
		if (!text) {
			fprintf(stderr, "generate: no memory\n");
			exit(1);
		}
		size += fread(text + size, 1, room - size - 1, file);
	} while (size == room - 1);
	if (ferror(file)) {
		perror(path);
		exit(1);
	}
	fclose(file);
	text[size] = '\0';
	return text;
}

int main(int argc, char **argv)
{
	struct data data = { 0 };

	if (argc == 4 && !strcmp(argv[1], "candidates")) {
		read_families(&data, argv[2]);
		print_candidates(&data, argv[3]);
	} else if (argc == 4 && !strcmp(argv[1], "tables")) {
		read_families(&data, argv[2]);
		print_tables(&data, argv[3]);
	} else {
		fprintf(stderr, "usage: generate candidates FAMILIES PREPROCESSED\n"
			"       generate tables FAMILIES VALUES\n");
		return 2;
	}
	if (fflush(stdout) || ferror(stdout)) {
		perror("generate");
		return 1;
	}
	return 0;
}
