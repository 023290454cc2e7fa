// SPDX-License-Identifier: GPL-2.0
/* The sizes of events, from the ring buffer's pages as they are. */
#include <fcntl.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "bench.h"

#define PAGE 4096
#define EVENT_TYPES 65536

struct sizes {
	unsigned long bytes, count;
};

static struct sizes sizes[EVENT_TYPES];

/* The length of the event at word; adds a record to sizes. Of types 1 to 28
 * the number is the record's length in words, 0 has the length in the next
 * word, the others are padding and time.
 */
static size_t take_event(const uint32_t *word)
{
	uint32_t type = *word & 31;
	size_t length, header = type ? 4 : 8;

	if (type == 29)
		return 4 + word[1];
	if (type == 30 || type == 31)
		return 8;
	length = type ? 4 + 4 * type : 4 + word[1];
	sizes[*(const uint16_t *)((const char *)word + header)].bytes += length;
	sizes[*(const uint16_t *)((const char *)word + header)].count++;
	return length;
}

/* Where a page's parts are, which is not the same on all architectures */
struct part {
	int offset, size;
};

static struct part find_part(const char *name)
{
	struct part part = { -1, -1 };
	char line[128], key[32];
	FILE *file = fopen(TRACING "events/header_page", "r");

	snprintf(key, sizeof(key), " %s;", name);
	while (file && fgets(line, sizeof(line), file)) {
		const char *found = strstr(line, key);

		if (found)
			sscanf(found + strlen(key), " offset:%d; size:%d",
			       &part.offset, &part.size);
	}
	if (file)
		fclose(file);
	if (part.offset < 0)
		die("events/header_page does not tell where \"%s\" is", name);
	return part;
}

/* The upper bits of the length tell of lost events */
static size_t data_length(const char *page, struct part commit)
{
	uint64_t length = 0;

	memcpy(&length, page + commit.offset, commit.size);
	return length & 0xfffff;
}

static void take_page(const char *page, size_t got, struct part commit, struct part data)
{
	size_t length = data_length(page, commit);
	size_t at = data.offset;

	if (got < at || length > got - at)
		die("a page of trace_pipe_raw has %zu bytes for %zu", got, length);
	while (at < data.offset + length)
		at += take_event((const uint32_t *)(page + at));
}

static void count_events(void)
{
	static char page[PAGE] __attribute__((aligned(8)));
	struct part commit = find_part("commit"), data = find_part("data");
	int fd = open(TRACING "per_cpu/cpu0/trace_pipe_raw", O_RDONLY | O_NONBLOCK);
	ssize_t got;

	if (fd < 0)
		die("trace_pipe_raw: %s", strerror(errno));
	memset(sizes, 0, sizeof(sizes));
	while ((got = read(fd, page, sizeof(page))) > 0)
		take_page(page, got, commit, data);
	close(fd);
}

static int event_type(const char *event)
{
	char path[256];
	FILE *file;
	int type = -1;

	snprintf(path, sizeof(path), TRACING "events/%s/format", event);
	file = fopen(path, "r");
	if (!file)
		return -1;
	while (fgets(path, sizeof(path), file) && sscanf(path, "ID: %d", &type) != 1)
		;
	fclose(file);
	return type;
}

static const char *const events[] = {
	"ftrace/function", "ftrace/funcgraph_entry", "ftrace/funcgraph_exit",
	"syscalls/sys_enter_getpgid", "syscalls/sys_exit_getpgid",
	"branch/branch",
};

void report_sizes(const char *name)
{
	count_events();
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		int type = event_type(events[i]);

		if (type < 0 || !sizes[type].count)
			continue;
		report("bytes\t%s: %s\t%.2f\n", name, strchr(events[i], '/') + 1,
		       (double)sizes[type].bytes / sizes[type].count);
	}
}
