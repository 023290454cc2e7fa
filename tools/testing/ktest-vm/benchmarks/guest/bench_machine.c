// SPDX-License-Identifier: GPL-2.0
/* The machine of "make bench": its file systems, ports and modules. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>
#include "bench.h"

#define VULNERABILITIES "/sys/devices/system/cpu/vulnerabilities"

static FILE *results;

void report(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(results, format, args);
	va_end(args);
	fflush(results);
	tcdrain(fileno(results));
}

void end(int status)
{
	report("@ktest exit %d\n", status);
	reboot(RB_AUTOBOOT);
	exit(status);
}

void die(const char *format, ...)
{
	va_list args;
	char text[512];

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	report("error\t%s\n", text);
	end(1);
	exit(1);
}

FILE *open_port(const char *path, const char *mode)
{
	FILE *port = fopen(path, mode);
	struct termios raw;

	if (!port)
		return NULL;
	tcgetattr(fileno(port), &raw);
	cfmakeraw(&raw);
	cfsetspeed(&raw, B115200);
	tcsetattr(fileno(port), TCSANOW, &raw);
	return port;
}

/* Files */

/* Filters take one word at a time */
static int put_words(int fd, const char *line)
{
	ssize_t length;

	for (; *line; line += length) {
		length = write(fd, line, strlen(line));
		if (length <= 0)
			return length ? errno : EIO;
	}
	return 0;
}

/* Without a newline, a filter is looked at only when the file is closed, and a
 * wrong one goes unnoticed.
 */
int put_path(const char *path, const char *value)
{
	char line[256];
	int fd, error;

	snprintf(line, sizeof(line), "%s\n", value);
	fd = open(path, O_WRONLY | O_TRUNC);
	if (fd < 0)
		return errno;
	error = put_words(fd, line);
	close(fd);
	return error;
}

int put(const char *file, const char *value)
{
	char path[256];

	snprintf(path, sizeof(path), TRACING "%s", file);
	return put_path(path, value);
}

/* The file's first line without its end; false if it has none */
static int get(const char *path, char *text, int size)
{
	FILE *file = fopen(path, "r");
	int got = file && fgets(text, size, file);

	if (file)
		fclose(file);
	if (got)
		text[strcspn(text, "\n")] = '\0';
	return got;
}

/* Modules */

int load_module(const char *name, const char *parameters)
{
	char path[64];
	int fd, error;

	snprintf(path, sizeof(path), "/%s.ko", name);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return 0;
	error = syscall(SYS_finit_module, fd, parameters, 0);
	if (error)
		die("module %s(%s): %s", name, parameters, strerror(errno));
	close(fd);
	return 1;
}

void unload_module(const char *name)
{
	if (syscall(SYS_delete_module, name, 0))
		die("module %s does not go: %s", name, strerror(errno));
}

double module_value(const char *module, const char *parameter)
{
	char path[128], text[32];

	snprintf(path, sizeof(path), "/sys/module/%s/parameters/%s", module, parameter);
	if (!get(path, text, sizeof(text)))
		die("%s cannot be read", path);
	return strtod(text, NULL);
}

/* The start */

static void mount_at(const char *type, const char *path)
{
	mkdir(path, 0755);
	if (mount(type, path, type, 0, NULL) && errno != EBUSY)
		die("mounting %s: %s", path, strerror(errno));
}

/* Without a counter of instructions every figure would be wrong */
static void check_counter(void)
{
	uint64_t start = now(), spent;

	asm volatile(".rept 1000; nop; .endr");
	spent = now() - start;
	if (spent < 1000 || spent > 1100)
		die("1000 instructions take %llu ticks: not a machine with -icount shift=0",
		    (unsigned long long)spent);
}

void start_machine(void)
{
	mount_at("devtmpfs", "/dev");
	results = open_port("/dev/ttyS1", "w");
	if (!results)
		exit(1);
	mount_at("proc", "/proc");
	mount_at("sysfs", "/sys");
	mount_at("tracefs", "/sys/kernel/tracing");
	check_counter();
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

void report_mitigations(void)
{
	struct dirent **list;
	int count = scandir(VULNERABILITIES, &list, visible, alphasort);

	for (int i = 0; i < count; i++) {
		char path[512], text[256];

		snprintf(path, sizeof(path), VULNERABILITIES "/%s", list[i]->d_name);
		if (get(path, text, sizeof(text)) && strcmp(text, "Not affected"))
			report("mitigation\t%s\t%s\n", list[i]->d_name, text);
	}
}
