// SPDX-License-Identifier: GPL-2.0
/*
 * The commands of recordmcount on ELF files, for libFuzzer.
 *
 * A byte of the ELF header that means nothing to anybody chooses the command,
 * so that a file that was kept does again what it did.
 */
#include <dirent.h>
#include <elf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../apart.h"
#include "../../check.h"
#include "../../link.h"
#include "../../object.h"
#include "../../print.h"
#include "mutate.h"
#include "report.h"

enum {
	PROCESS,
	PROCESS_STRIP,
	PRINT,
	LINK,
	LINK_MODULE,
	CHECK,
	LINK_APART,
	NR_COMMANDS
};

static char directory[] = "/dev/shm/recordmcount-fuzz-XXXXXX";
static char path[64];
static char output[64];

static void clean_up(void)
{
	unlink(path);
	unlink(output);
	rmdir(directory);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	report_open();
	if (!mkdtemp(directory))
		wrong("cannot make a directory in /dev/shm");
	snprintf(path, sizeof(path), "%s/fuzzed.o", directory);
	snprintf(output, sizeof(output), "%s/output.o", directory);
	atexit(clean_up);
	elf_version(EV_CURRENT);
	if (!freopen("/dev/null", "w", stdout))
		wrong("cannot open /dev/null");
	return 0;
}

static void write_input(const uint8_t *data, size_t size)
{
	FILE *file = fopen(path, "wb");

	if (!file || fwrite(data, 1, size, file) != size || fclose(file))
		wrong("cannot write the file");
}

static bool has_changed(const uint8_t *data, size_t size)
{
	FILE *file = fopen(path, "rb");
	uint8_t *now = malloc(size + 1);
	size_t got;

	if (!file || !now)
		wrong("the file is gone");
	got = fread(now, 1, size + 1, file);
	fclose(file);
	got = got != size || memcmp(now, data, size);
	free(now);
	return got;
}

static uint8_t *slurp(size_t *size)
{
	FILE *file = fopen(path, "rb");
	struct stat st;
	uint8_t *data;

	if (!file || fstat(fileno(file), &st))
		wrong("the file is gone");
	data = malloc(st.st_size + 1);
	*size = fread(data, 1, st.st_size, file);
	fclose(file);
	return data;
}

static void look_for_leftovers(void)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, "fuzzed.o") &&
		    strcmp(entry->d_name, "output.o"))
			wrong("a temporary file was left behind");
	closedir(dir);
}

static int run(unsigned int command)
{
	static const struct options plain = { .signatures = true };
	static const struct options strip = {
		.signatures = true, .strip_debug = true,
	};

	switch (command) {
	case PROCESS:
		return process_object(path, &plain);
	case PROCESS_STRIP:
		return process_object(path, &strip);
	case PRINT:
		return print_file(path, NULL, false);
	case LINK:
		return link_image(path, output);
	case LINK_APART:
		return link_apart(path, output);
	case LINK_MODULE:
		return link_module(path);
	default:
		return check_image(path, NULL);
	}
}

/*
 * What the tool has written it must read itself, unless it was given tables that
 * it could not, and find nothing to do.  Since a file is laid out anew, libdw may
 * understand what it did not before; but not twice.
 */
static void check_result(unsigned int command, const uint8_t *input, size_t size)
{
	size_t new_size;
	uint8_t *data;
	int err = run(PRINT);

	if (run(command))
		wrong("it refuses what it wrote");
	data = slurp(&new_size);
	if (run(command))
		wrong("it refuses what it wrote twice");
	if (has_changed(data, new_size))
		wrong("a third run changes something");
	free(data);
	if (!err)
		return;
	write_input(input, size);
	if (!run(PRINT))
		wrong("it does not understand what it wrote");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned int command = size > EI_PAD ? data[EI_PAD] % NR_COMMANDS : 0;
	bool changed;
	int err;

	write_input(data, size);
	err = run(command);
	changed = has_changed(data, size);
	if (err && changed)
		wrong("an error changed the file");
	if (command >= PRINT && command != LINK_MODULE && changed)
		wrong("a command that only reads has changed the file");
	if (changed)
		check_result(command, data, size);
	look_for_leftovers();
	return 0;
}
