// SPDX-License-Identifier: GPL-2.0
/*
 * A program that calls the kernel for many different things. It says "ready", and begins when a
 * line has come. The suite "record" compares what branch tracing says of the kernel's functions
 * with what the emulator has executed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096

static char text[3 * PAGE];

static int files(void)
{
	int fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC), missing;
	struct stat status;

	if (fd < 0 || read(fd, text, sizeof(text)) <= 0 || fstat(fd, &status) || close(fd))
		return 1;
	missing = open("/proc/self/no/such/file", O_RDWR);
	return missing != -1 || errno != ENOENT;
}

/*
 * The kernel faults where there is no page: for good, on the way to what is behind the last page,
 * and where a page comes when it is touched.
 */
static int faults(const int *pipe)
{
	char *area = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (area == MAP_FAILED || munmap(area + 2 * PAGE, PAGE))
		return 1;
	if (write(pipe[1], area + 2 * PAGE, 8) != -1 || errno != EFAULT)
		return 1;
	memset(area, 'a', PAGE);
	if (write(pipe[1], area, 100) != 100 || read(pipe[0], area + PAGE, 100) != 100)
		return 1;
	return memcmp(area, area + PAGE, 100) || munmap(area, 2 * PAGE);
}

static int sleeps(void)
{
	struct timespec time = { .tv_nsec = 1000000 };

	return nanosleep(&time, NULL);
}

/* The child writes when this one sleeps */
static int waits(const int *pipe)
{
	char byte;

	return read(pipe[0], &byte, 1) != 1 || byte != 'c';
}

static void handle(int signal)
{
	(void)signal;
}

static int signals(void)
{
	return signal(SIGUSR1, handle) == SIG_ERR || raise(SIGUSR1);
}

static int child(int to)
{
	struct timespec time = { .tv_nsec = 200000000 };
	char line[8];

	if (read(0, line, 1) != 1 || nanosleep(&time, NULL))
		return 1;
	return write(to, "c", 1) != 1;
}

int main(void)
{
	int here[2], there[2];
	char line[16];

	if (pipe(here) || pipe(there))
		return 1;
	switch (fork()) {
	case -1:
		return 1;
	case 0:
		return child(there[1]);
	}
	if (write(1, "ready\n", 6) != 6 || read(0, line, 1) != 1)
		return 1;
	return files() || faults(here) || sleeps() || signals() || waits(there);
}
