// SPDX-License-Identifier: GPL-2.0
/*
 * The work that "make run" traces: a little of everything that programs ask
 * the kernel for, with calls that succeed and calls that fail, and a check of
 * each, so that the trace is known to show what really happened.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCRATCH "/tmp/demo.txt"
#define TEXT "typed function graph\n"

static void __attribute__((format(printf, 1, 2))) die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("demo: ", stderr);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

/* An open that must end with this errno, 0 for success */
static int try_open(const char *path, int flags, int expected)
{
	int fd = open(path, flags, 0644);
	int got = fd < 0 ? errno : 0;

	if (got != expected)
		die("open(%s): %s, but expected: %s", path, strerror(got),
		    strerror(expected));
	printf("open(%s): %s\n", path, strerror(got));
	return fd;
}

static void do_files(void)
{
	char text[sizeof(TEXT)] = "";
	int fd;

	try_open("/no/such/file", O_RDONLY, ENOENT);
	try_open("/etc", O_WRONLY, EISDIR);
	try_open("/etc/hostname", O_RDONLY | O_CREAT | O_EXCL, EEXIST);

	fd = try_open(SCRATCH, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0);
	if (write(fd, TEXT, strlen(TEXT)) != (ssize_t)strlen(TEXT))
		die("write: %m");
	if (lseek(fd, 0, SEEK_SET) || read(fd, text, strlen(TEXT)) < 0)
		die("read: %m");
	if (strcmp(text, TEXT))
		die("read \"%s\" instead of what was written", text);
	if (read(-1, text, 1) != -1 || errno != EBADF)
		die("a read from descriptor -1 did not fail as it must");
	close(fd);
	printf("wrote and read %zu bytes\n", strlen(TEXT));
}

static void do_mmap(void)
{
	int fd = try_open(SCRATCH, O_RDONLY, 0);
	char *map = mmap(NULL, strlen(TEXT), PROT_READ, MAP_PRIVATE, fd, 0);

	if (map == MAP_FAILED)
		die("mmap: %m");
	if (memcmp(map, TEXT, strlen(TEXT)))
		die("the mapping does not hold the file");
	munmap(map, strlen(TEXT));
	close(fd);
	unlink(SCRATCH);
	puts("mapped the file");
}

static void do_fork_exec(void)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		die("fork: %m");
	if (!pid) {
		execl("/no/such/program", "program", NULL);
		execl("/bin/busybox", "true", NULL);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		die("the child ended with status %#x", status);
	puts("forked a child that ran a program");
}

/* The same short message through a pair of descriptors */
static void pass_message(const char *what, int from, int to)
{
	char byte = 0;

	if (write(from, "x", 1) != 1 || read(to, &byte, 1) != 1 || byte != 'x')
		die("%s: %m", what);
	close(from);
	close(to);
	printf("sent a byte through a %s\n", what);
}

static void do_pipes(void)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		die("pipe2: %m");
	pass_message("pipe", fds[1], fds[0]);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		die("socketpair: %m");
	pass_message("socketpair", fds[0], fds[1]);
}

static void do_module(const char *path, const char *name)
{
	int fd = try_open(path, O_RDONLY | O_CLOEXEC, 0);

	if (syscall(SYS_finit_module, fd, "", 0))
		die("loading %s: %m", path);
	if (!syscall(SYS_finit_module, fd, "", 0) || errno != EEXIST)
		die("loading %s twice did not fail as it must", path);
	close(fd);
	if (syscall(SYS_delete_module, name, O_NONBLOCK))
		die("unloading %s: %m", name);
	printf("loaded and unloaded %s\n", name);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		die("usage: demo MODULE.ko MODULE_NAME");
	do_files();
	do_mmap();
	do_fork_exec();
	do_pipes();
	do_module(argv[1], argv[2]);
	return 0;
}
