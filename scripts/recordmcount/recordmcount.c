// SPDX-License-Identifier: GPL-2.0
/*
 * recordmcount - find the calls of the tracer in object files, and describe
 * the functions that make them.
 */
#include <getopt.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apart.h"
#include "check.h"
#include "link.h"
#include "object.h"
#include "print.h"
#include "util.h"

static const char usage[] =
"usage: recordmcount [-w] [--no-signatures|--no-mcount-loc] [--strip-debug]\n"
"                    OBJECT...\n"
"       recordmcount --link -o OUT.o VMLINUX\n"
"       recordmcount --link-apart -o OUT.o VMLINUX\n"
"       recordmcount --link-module MODULE...\n"
"       recordmcount --check [--table FILE] VMLINUX\n"
"       recordmcount --print FILE...\n"
"       recordmcount --explain FILE...\n"
"       recordmcount --members FILE...\n"
"       recordmcount --print|--explain|--members --table FILE VMLINUX\n"
"\n"
"Without a command each OBJECT is changed in place: the calls of __fentry__ or\n"
"mcount are listed in __mcount_loc, and the signatures of the functions that\n"
"make them, as DWARF tells them, in .ftrace_sig.\n"
"\n"
"  -w               warn of references to mcount that cannot be traced\n"
"  --no-signatures  write __mcount_loc only\n"
"  --no-mcount-loc  write signatures only, for tracing that is static\n"
"  --strip-debug    remove the DWARF afterwards\n"
"  --link           make an object with the signatures of a linked image\n"
"  --link-apart     make an object with them for the module ftrace_signatures\n"
"  -o OUT.o         name of that object\n"
"  --link-module    turn .ftrace_sig into what the module loader reads\n"
"  --check          check the signatures of an image against __mcount_loc or,\n"
"                   if it has none, its code\n"
"  --print          print call sites: place, symbol, prototype, parameters as\n"
"                   name@place, return@place; separated by tabs\n"
"  --explain        print each value whose place is ?: call site, symbol, the\n"
"                   parameter's name or return, and why it is not known\n"
"  --members        print each structure that is known: declaration and size; and\n"
"                   a line for each member: tab, offset in bits, tab, declaration\n"
"  --table FILE     the object of --link-apart, or the module, that has the\n"
"                   signatures of VMLINUX\n"
"\n"
"Objects are those of compilers for x86-64 (ELF64) and x86-32 (ELF32).  The x32\n"
"ABI, other machines, big endian, and LTO objects without code are refused.\n"
"\n"
"Places: registers (rdi, or rsi+rdx for a value in two; eax, edx, ecx on x86-32),\n"
"stack+N (N bytes above the return address, *M for M words), const=N, removed,\n"
"empty, and ? where it cannot be known.\n";

enum command {
	CMD_PROCESS,
	CMD_LINK,
	CMD_LINK_APART,
	CMD_LINK_MODULE,
	CMD_CHECK,
	CMD_PRINT,
	CMD_EXPLAIN,
	CMD_MEMBERS,
};

static enum command command;
static const char *output;
static const char *table;
static struct options options = { .signatures = true, .mcount_loc = true };

enum {
	OPT_HELP = 256,
	OPT_VERSION,
	OPT_NO_SIGNATURES,
	OPT_NO_MCOUNT_LOC,
	OPT_STRIP_DEBUG,
	OPT_TABLE,
	OPT_COMMAND,
};

static const struct option long_options[] = {
	{ "help",	   no_argument, NULL, OPT_HELP },
	{ "version",	   no_argument, NULL, OPT_VERSION },
	{ "no-signatures", no_argument, NULL, OPT_NO_SIGNATURES },
	{ "no-mcount-loc", no_argument, NULL, OPT_NO_MCOUNT_LOC },
	{ "strip-debug",   no_argument, NULL, OPT_STRIP_DEBUG },
	{ "link",	   no_argument, NULL, OPT_COMMAND + CMD_LINK },
	{ "table",	   required_argument, NULL, OPT_TABLE },
	{ "link-apart",	   no_argument, NULL, OPT_COMMAND + CMD_LINK_APART },
	{ "link-module",   no_argument, NULL, OPT_COMMAND + CMD_LINK_MODULE },
	{ "check",	   no_argument, NULL, OPT_COMMAND + CMD_CHECK },
	{ "print",	   no_argument, NULL, OPT_COMMAND + CMD_PRINT },
	{ "explain",	   no_argument, NULL, OPT_COMMAND + CMD_EXPLAIN },
	{ "members",	   no_argument, NULL, OPT_COMMAND + CMD_MEMBERS },
	{ NULL,		   0,		NULL, 0 },
};

static void __noreturn misuse(const char *why)
{
	fprintf(stderr, "recordmcount: %s\n%s", why, usage);
	exit(1);
}

static void handle_option(int c)
{
	switch (c) {
	case 'w':
		options.warn_ignored = true;
		break;
	case 'o':
		output = optarg;
		break;
	case OPT_HELP:
		fputs(usage, stdout);
		exit(0);
	case OPT_VERSION:
		puts("recordmcount 1");
		exit(0);
	case OPT_NO_SIGNATURES:
		options.signatures = false;
		break;
	case OPT_NO_MCOUNT_LOC:
		options.mcount_loc = false;
		break;
	case OPT_STRIP_DEBUG:
		options.strip_debug = true;
		break;
	case OPT_TABLE:
		table = optarg;
		break;
	case '?':
		misuse("unknown option");
	default:
		if (command != CMD_PROCESS)
			misuse("only one command at a time");
		command = c - OPT_COMMAND;
		break;
	}
}

static int run(const char *path)
{
	switch (command) {
	case CMD_LINK:
		return link_image(path, output);
	case CMD_LINK_APART:
		return link_apart(path, output);
	case CMD_LINK_MODULE:
		return link_module(path);
	case CMD_CHECK:
		return check_image(path, table);
	case CMD_PRINT:
		return print_file(path, table, PRINT_SITES);
	case CMD_EXPLAIN:
		return print_file(path, table, PRINT_WHY);
	case CMD_MEMBERS:
		return print_file(path, table, PRINT_MEMBERS);
	default:
		return process_object(path, &options);
	}
}

static bool makes_object(void)
{
	return command == CMD_LINK || command == CMD_LINK_APART;
}

static void check_usage(int nr_files)
{
	if (!nr_files)
		misuse("no file given");
	if (!options.signatures && !options.mcount_loc)
		misuse("--no-signatures and --no-mcount-loc leave nothing to do");
	if (makes_object() ? !output : !!output)
		misuse("--link, --link-apart and -o OUT.o belong together");
	if (makes_object() && nr_files != 1)
		misuse("--link and --link-apart take one image");
	if (table && command != CMD_CHECK && command != CMD_PRINT &&
	    command != CMD_EXPLAIN && command != CMD_MEMBERS)
		misuse("--table is for --check, --print, --explain and --members");
	if (table && nr_files != 1)
		misuse("--table is for one image");
}

int main(int argc, char **argv)
{
	int c, err = 0;

	while ((c = getopt_long(argc, argv, "wo:", long_options, NULL)) != -1)
		handle_option(c);
	check_usage(argc - optind);
	elf_version(EV_CURRENT);
	for (int i = optind; i < argc; i++)
		err |= run(argv[i]);
	if (fflush(stdout) || ferror(stdout))
		err = fail("stdout", "cannot write");
	return err ? 1 : 0;
}
