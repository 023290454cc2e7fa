// SPDX-License-Identifier: GPL-2.0
/*
 * --print, --explain and --members: what a file says about its call sites.
 */
#include <stdlib.h>
#include <string.h>

#include "apart.h"
#include "names.h"
#include "print.h"
#include "print_sig.h"
#include "signature.h"
#include "table_read.h"

/**
 * struct line - a call site to print
 * @ip: where it is
 * @view: the table that describes it, NULL if none does
 * @site: its number there
 */
struct line {
	struct table_ip		ip;
	const struct table_view *view;
	uint32_t		site;
};

/**
 * struct lines - all call sites, and how to print them
 * @list: the call sites
 * @print: prints one; NULL: print the structures of the tables instead
 */
struct lines {
	struct line	*list;
	uint32_t	nr;
	uint32_t	room;
	void (*print)(const struct object *obj, const struct place *place,
		      const struct line *line);
};

static char *where(const struct object *obj, const struct table_ip *ip)
{
	unsigned long long offset = ip->offset;

	if (ip->section)
		return xasprintf("%s+0x%llx", obj->sections[ip->section].name,
				 offset);
	if (ip->base)
		return xasprintf("%s+0x%llx", obj->symbols[ip->base].name,
				 offset);
	return xasprintf("0x%llx", offset);
}

static void print_line(const struct object *obj, const struct place *place,
		       const struct line *line)
{
	fprintf(place->out, "%s\t%s\t", place->where, place->symbol);
	if (line->view)
		print_signature(place->out, obj->arch, line->view,
				table_view_proto(line->view, line->site),
				place->symbol);
	else
		fputs("?", place->out);
	fputc('\n', place->out);
}

static void explain_line(const struct object *obj, const struct place *place,
			 const struct line *line)
{
	explain_signature(place, line->view, line->view ?
			  table_view_proto(line->view, line->site) : NULL);
}

static int by_place(const void *a, const void *b)
{
	const struct line *l = a, *m = b;

	if (l->ip.section != m->ip.section)
		return l->ip.section < m->ip.section ? -1 : 1;
	if (!l->ip.section && l->ip.base != m->ip.base)
		return l->ip.base < m->ip.base ? -1 : 1;
	if (l->ip.offset != m->ip.offset)
		return l->ip.offset < m->ip.offset ? -1 : 1;
	/* with a signature first */
	return !l->view - !m->view;
}

static void print_one(const struct object *obj, const struct names *names,
		      const struct lines *lines, const struct line *line)
{
	const struct table_ip *ip = &line->ip;
	const char *symbol = names_find(names, ip->section, ip->offset);
	char *text = where(obj, ip);

	lines->print(obj, &(struct place){ stdout, text, symbol ? symbol : "?" },
		     line);
	free(text);
}

static void print_lines(const struct object *obj, struct lines *lines)
{
	struct names names;

	if (!lines->nr || !lines->print)
		return;
	names_read(obj, &names);
	qsort(lines->list, lines->nr, sizeof(*lines->list), by_place);
	for (uint32_t i = 0; i < lines->nr; i++) {
		const struct line *line = &lines->list[i];

		if (i && !line->view && line[-1].ip.section == line->ip.section &&
		    line[-1].ip.offset == line->ip.offset)
			continue;
		print_one(obj, &names, lines, line);
	}
	names_free(&names);
}

static void add_view(struct lines *lines, const struct table_view *view)
{
	if (!lines->print)
		print_structures(stdout, view);
}

static void add_line(struct lines *lines, struct table_ip ip,
		     const struct table_view *view, uint32_t site)
{
	GROW(lines->list, lines->nr, lines->room);
	lines->list[lines->nr++] = (struct line){ ip, view, site };
}

static int add_tables(const struct object *obj, uint32_t sec,
		      const struct sources *src, struct lines *lines)
{
	for (uint32_t t = 0; t < src->nr; t++) {
		const struct table_view *view = &src->list[t].view;
		uint32_t nr = view->header->nr_sites;
		struct table_ip *ips = xcalloc(nr, sizeof(*ips));
		int err = read_ips(obj, sec, &src->list[t], ips);

		if (!err)
			add_view(lines, view);
		for (uint32_t i = 0; !err && i < nr; i++)
			add_line(lines, ips[i], view, i);
		free(ips);
		if (err)
			return -1;
	}
	return 0;
}

/* Sites that have no signature. */
static void add_sites(const struct call_sites *cs, struct lines *lines)
{
	for (uint32_t i = 0; i < cs->nr; i++) {
		struct table_ip ip = {
			.section = cs->sites[i].section,
			.offset = cs->sites[i].offset,
		};

		add_line(lines, ip, NULL, 0);
	}
}

static int print_tables(const struct object *obj, uint32_t sec,
			const struct call_sites *cs, struct lines *lines)
{
	struct sources src;
	int err;

	err = sources_read(obj, sec, 0, &src);
	if (!err)
		err = add_tables(obj, sec, &src, lines);
	if (!err) {
		add_sites(cs, lines);
		print_lines(obj, lines);
	}
	sources_free(&src);
	return err;
}

/* An object that was not processed: print what would be written. */
static int print_computed(const struct object *obj,
			  const struct call_sites *cs, struct lines *lines)
{
	struct signatures sigs;
	struct table_view view;
	unsigned char *block;
	const char *why;
	size_t size;

	why = signatures_make(&sigs, obj, cs);
	if (why && cs->nr)
		warn(obj->path, "no signatures: %s", why);
	block = table_build(&sigs.table, obj->arch->word_size,
			    FTRACE_SIG_F_OBJECT, &size);
	why = block ? table_read(&view, block, size) : "too many signatures";
	if (!why)
		add_view(lines, &view);
	for (uint32_t i = 0; !why && i < sigs.nr_sites; i++) {
		struct table_ip ip = {
			.section = sigs.sites[i].section,
			.offset = sigs.sites[i].offset,
		};

		add_line(lines, ip, &view, i);
	}
	if (!why) {
		add_sites(cs, lines);
		print_lines(obj, lines);
	}
	free(block);
	signatures_free(&sigs);
	return why ? fail(obj->path, "%s", why) : 0;
}

static int print_apart(const struct object *image, const char *table,
		       struct lines *lines)
{
	struct apart apart;
	int err;

	err = apart_open(&apart, table, image);
	if (!err) {
		const struct table_view *view = &apart.src.list[0].view;

		add_view(lines, view);
		for (uint32_t i = 0; i < view->header->nr_sites; i++)
			add_line(lines, apart.ips[i], view, i);
		print_lines(image, lines);
	}
	apart_close(&apart);
	return err;
}

static int print_object(struct object *obj, struct lines *lines)
{
	uint32_t sec = object_find_section(obj, FTRACE_SIG_TABLE_SECTION);
	struct call_sites cs = { 0 };
	int err = 0;

	if (!sec)
		sec = object_find_section(obj, FTRACE_SIG_OBJECT_SECTION);
	if (obj->ehdr.e_type == ET_REL)
		err = call_sites_find(obj, &cs, MCOUNT_LOC, false);
	if (!err && sec)
		err = print_tables(obj, sec, &cs, lines);
	else if (!err && obj->ehdr.e_type == ET_REL)
		err = print_computed(obj, &cs, lines);
	else if (!err)
		err = fail(obj->path, "no signatures");
	call_sites_free(&cs);
	return err;
}

/**
 * print_file - print the call sites or structures of an object, a module or an image
 * @path: the file
 * @table: the file that has the signatures of an image, NULL: @path itself
 * @what: what to print
 *
 * Return: 0, or -1 after a message.
 */
int print_file(const char *path, const char *table, enum print_what what)
{
	struct lines lines = {
		.print = what == PRINT_SITES ? print_line :
			 what == PRINT_WHY ? explain_line : NULL,
	};
	struct object obj;
	int err;

	err = object_open(&obj, path);
	if (!err)
		err = table ? print_apart(&obj, table, &lines) :
			      print_object(&obj, &lines);
	free(lines.list);
	object_close(&obj);
	return err;
}
