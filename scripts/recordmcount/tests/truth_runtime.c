// SPDX-License-Identifier: GPL-2.0
/*
 * Run time of the truth tests: a log of what callers pass, of what registers
 * and stack have when a function is entered, and of what it returns.  Compiled
 * with -mgeneral-regs-only, so that it changes no other register.
 *
 *	C name			a call follows
 *	A value mask		its next argument, in hexadecimal bytes
 *	E ip words		entry: return address, argument registers, 32 stack
 *				words
 *	R ip rax rdx memory	return; memory at rax if it is on the stack
 *	V value mask		the result that the caller got
 */
#include "truth.h"

#define STACK_WORDS	32
#define WORD		sizeof(unsigned long)

#ifdef __x86_64__
#define NR_REGS		6
#define NR_WRITE	1
#define NR_EXIT		60
#else
#define NR_REGS		3
#define NR_WRITE	4
#define NR_EXIT		1
#endif

static char text[96 << 20];
static unsigned long used;

static struct {
	unsigned long ip;
	unsigned long address;
} frames[4096];
static unsigned int depth;

static unsigned long stack_top;
static unsigned long long seed = 88172645463325252;

unsigned long truth_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

void truth_fill(void *p, unsigned long size)
{
	unsigned char *bytes = p;

	while (size--)
		*bytes++ = truth_random() >> 24;
}

static void put(char c)
{
	if (used < sizeof(text))
		text[used++] = c;
}

static void put_string(const char *s)
{
	while (*s)
		put(*s++);
}

static void put_byte(unsigned char byte)
{
	put("0123456789abcdef"[byte >> 4]);
	put("0123456789abcdef"[byte & 15]);
}

static void put_bytes(const void *p, unsigned long size)
{
	const unsigned char *bytes = p;

	put(' ');
	if (!size)
		put('-');
	while (size--)
		put_byte(*bytes++);
}

void truth_call(const char *name)
{
	put_string("C ");
	put_string(name);
	put('\n');
}

void truth_arg(const void *value, const void *mask, unsigned long size)
{
	put('A');
	put_bytes(value, size);
	put_bytes(mask, size);
	put('\n');
}

void truth_result(const void *value, const void *mask, unsigned long size)
{
	put('V');
	put_bytes(value, size);
	put_bytes(mask, size);
	put('\n');
}

/* @frame: at the function's return address */
void truth_entry(const unsigned long *regs, unsigned long ip,
		 unsigned long *frame)
{
	put('E');
	put_bytes(&ip, WORD);
	put_bytes(regs, NR_REGS * WORD);
	put_bytes(&frame[1], STACK_WORDS * WORD);
	put('\n');
	frames[depth].ip = ip;
	frames[depth++].address = frame[0];
	frame[0] = (unsigned long)truth_return;
}

unsigned long truth_leave(const unsigned long *regs)
{
	unsigned long at = regs[0], size = 0;

	if (at >= (unsigned long)regs && at < stack_top)
		size = stack_top - at < 256 ? stack_top - at : 256;
	depth--;
	put('R');
	put_bytes(&frames[depth].ip, WORD);
	put_bytes(&regs[0], WORD);
	put_bytes(&regs[1], WORD);
	put_bytes((void *)at, size);
	put('\n');
	return frames[depth].address;
}

static long system_call(long number, long a, long b, long c)
{
#ifdef __x86_64__
	asm volatile("syscall" : "+a"(number)
		     : "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
#else
	asm volatile("int $0x80" : "+a"(number)
		     : "b"(a), "c"(b), "d"(c) : "memory");
#endif
	return number;
}

/* No C library: it may need a stack aligned otherwise than the kernel's. */
void truth_main(unsigned long *stack)
{
	unsigned long done = 0;

	stack_top = (unsigned long)stack;
	for (int i = 0; i < 3; i++)
		truth_run();
	while (done < used) {
		long n = system_call(NR_WRITE, 1, (long)text + done, used - done);

		if (n <= 0)
			system_call(NR_EXIT, 2, 0, 0);
		done += n;
	}
	system_call(NR_EXIT, used == sizeof(text), 0, 0);
	__builtin_unreachable();
}

/* What compilers may call. */
void *memcpy(void *to, const void *from, unsigned long size)
{
	char *t = to;
	const char *f = from;

	while (size--) {
		*t++ = *f++;
		asm volatile("");
	}
	return to;
}

void *memset(void *to, int value, unsigned long size)
{
	char *t = to;

	while (size--) {
		*t++ = value;
		asm volatile("");
	}
	return to;
}
