// SPDX-License-Identifier: GPL-2.0
/*
 * What one write of 24 bytes into a ring buffer takes in a program on this
 * machine: a place is reserved, the clock read, the event filled and committed.
 *
 * Usage: PROGRAM WRITE CPU [READ CPU]
 *
 * A writer on the first CPU writes batches of events, in one of the ways of this
 * program; a reader on the second reads them meanwhile, if there is one. What a
 * batch takes is divided by its events, and of all batches the least and that in
 * the middle are printed, in hundredths of a tick of the time stamp counter; then
 * how many batches these are, and how many events were written, read and lost. With
 * a reader, only those batches count in which it has read something. A tick is a
 * cycle of a processor that runs at its nominal frequency. Interrupts and other
 * tasks that fall into a batch make it longer, so the least tells best what the
 * code takes alone.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "native.h"

#define BATCH	1000
#define BATCHES	10000

static unsigned int spent[BATCHES];
static const struct way_to_write *writer;
static const struct way_to_read *reader;
static int reader_cpu;
static unsigned long events_read;
/* How often the reader has read */
static _Alignas(64) atomic_ulong turns;
static _Alignas(64) atomic_bool done;

static void fail(const char *what, const char *name)
{
	fprintf(stderr, "error: %s \"%s\"\n", what, name);
	exit(1);
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		fail("there is no CPU", "of that number");
}

static void *read_all(void *unused)
{
	(void)unused;
	pin(reader_cpu);
	while (!done) {
		events_read += reader->read();
		turns++;
	}
	return NULL;
}

/* Returns how many batches there are, without those in which no one read */
static unsigned int write_all(void)
{
	unsigned int i, used = 0;
	unsigned long long start;
	unsigned long before;

	writer->write(BATCH);
	for (i = 0; i < BATCHES; i++) {
		before = turns;
		start = native_ticks();
		writer->write(BATCH);
		spent[used] = native_ticks() - start;
		used += !reader || turns != before;
	}
	return used;
}

static int compare(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;

	return (x > y) - (x < y);
}

static unsigned int per_event(unsigned int ticks)
{
	return (ticks * 100ULL + BATCH / 2) / BATCH;
}

static void find_ways(const char *write, const char *read)
{
	for (writer = ways_to_write; writer->name && strcmp(writer->name, write); writer++)
		;
	if (!writer->name)
		fail("this program does not write", write);
	if (!read)
		return;
	for (reader = ways_to_read; reader->name && strcmp(reader->name, read); reader++)
		;
	if (!reader->name)
		fail("this program does not read", read);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	unsigned int used;

	if (argc != 3 && argc != 5) {
		fprintf(stderr, "usage: %s WRITE CPU [READ CPU]\n", argv[0]);
		return 1;
	}
	find_ways(argv[1], argv[3]);
	if (!native_start())
		fail("there is no ring for", argv[1]);
	if (reader) {
		reader_cpu = atoi(argv[4]);
		if (pthread_create(&thread, NULL, read_all, NULL))
			fail("there is no thread for", argv[3]);
		while (!turns)
			;
	}
	pin(atoi(argv[2]));
	used = write_all();
	done = true;
	if (reader)
		pthread_join(thread, NULL);
	if (!used)
		fail("there was never time to read", argv[3]);
	qsort(spent, used, sizeof(*spent), compare);
	printf("%u %u %u %u %lu %ld\n", per_event(spent[0]), per_event(spent[used / 2]), used,
	       BATCH * (BATCHES + 1), events_read, native_lost());
	return 0;
}
