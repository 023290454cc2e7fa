// SPDX-License-Identifier: GPL-2.0
/*
 * A walk whose every branch is known.
 *
 * Says where the walk is and which branches it takes, waits for a line on its standard input, and
 * goes. Each branch is noted beside the instruction that takes it, in the order in which it is
 * taken. A side of 0 is the kernel.
 *
 * Fails if the walk has seen anything of who watches it: the trap flag, or a lost count.
 *
 * "branch-walk segment" does the same of a walk in a segment of its own.
 * "branch-walk forget" walks where its page is missing: not with probes, which would be gone, too.
 * "branch-walk crash" says by which call it gets to a write to address 0, and where that is.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef __i386__
#include <asm/ldt.h>
#include <sys/syscall.h>
#endif

#if !defined(__x86_64__) && !defined(__i386__)
int main(void)
{
	return 4;
}
#else

struct branch {
	unsigned long	from;
	unsigned long	to;
	const char	*kind;
};

extern const char walk_begin[], walk_end[];
extern const struct branch branches[], branches_end[];

/* The flags as the walk has read them: by pushf, and by the instruction syscall */
unsigned long pushed_flags, syscall_flags;

/* The same, by an instruction behind a load of the stack segment */
unsigned long shadowed_flags;

/* The same, by instructions with many prefixes */
unsigned long prefixed_flags, prefixed_syscall_flags;

/* What "rep stosb" has filled */
char filled[8];

/* What was on the stack all the time: it looks like flags, the trap flag among them */
unsigned long kept;

#ifdef __x86_64__
#define COUNTER		"%rcx"
#define REGISTER	"%rax"
#define JUMP_BY_TABLE	"jmp *%rax"
#define SYSCALL		"syscall"
#define GETPID		"39"
#define ADDRESS_OF(l)	"lea " l "(%rip), %rax"
#define TO(v)		v "(%rip)"
#define STACK		"rsp"
#define STACK_TOP	"(%rsp)"
#define PUSH_SEGMENT	"mov %ss, %eax; shl $32, %rax; push %rax"
#define PUSHF		"pushfq"
#define POPF		"popfq"
#define KEEP_FLAGS	"mov %r11, " TO("syscall_flags")
#define KEEP_PREFIXED	"mov %r11, " TO("prefixed_syscall_flags")
#define PREFIXES	".byte 0x48, 0x2e, 0x3e, 0x26, 0x36, 0x64"
#define REG_IP		REG_RIP
#define REGISTER_NAME	"rax"
#else
#define COUNTER		"%ecx"
#define REGISTER	"%eax"
#define JUMP_BY_TABLE	"jmp *%eax"
#define SYSCALL		"int $0x80"
#define GETPID		"20"
#define ADDRESS_OF(l)	"mov $" l ", %eax"
#define TO(v)		v
#define STACK		"esp"
#define STACK_TOP	"(%esp)"
#define PUSH_SEGMENT	"push %ss; push $0"
#define PUSHF		"pushfl"
#define POPF		"popfl"
#define KEEP_FLAGS	"nop"
#define KEEP_PREFIXED	"nop"
#define PREFIXES	".byte 0x2e, 0x3e, 0x26, 0x36, 0x64"
#define REG_IP		REG_EIP
#define REGISTER_NAME	"eax"
#endif

asm(
"	.macro took from, to, kind\n"
"	.pushsection .rodata\n"
"0:	.asciz \"\\kind\"\n"
"	.popsection\n"
"	.pushsection .data.branches, \"aw\"\n"
"	.balign 4\n"
"	.dc.a \\from, \\to, 0b\n"
"	.popsection\n"
"	.endm\n"

"	.pushsection .data.branches, \"aw\"\n"
"	.globl branches\n"
"branches:\n"
"	.popsection\n"

"	.text\n"
"	.globl walk\n"
"walk:\n"
"	call walk_begin\n"
"walk_after:\n"
"	ret\n"

"	.balign 4096\n"
"	.globl walk_begin\n"
"walk_begin:\n"
/* Jumps that are not taken leave nothing; the ones that are, as often as they are */
"	mov $3, %ecx\n"
"1:	dec %ecx\n"
"j1:	jnz 1b\n"
"	took j1, 1b, conditional\n"
"	took j1, 1b, conditional\n"
"j2:	jz 2f\n"
"	took j2, 2f, conditional\n"
"	ud2\n"
"2:	jnz 2b\n"

/* Whether a jump to the next instruction is taken cannot be seen from where it leads */
"	xor %eax, %eax\n"
"j3:	jz 3f\n"
"	took j3, 3f, conditional\n"
"3:	jnz 4f\n"
"4:	mov $2, %ecx\n"
"l1:	loop 5f\n"
"	took l1, 5f, conditional\n"
"5:	loop 6f\n"
"6:	xor %ecx, %ecx\n"
#ifdef __x86_64__
"j4:	jrcxz 7f\n"
#else
"j4:	jecxz 7f\n"
#endif
"	took j4, 7f, conditional\n"
"7:	mov $3, %ecx\n"
"8:	nop\n"
"l2:	loop 8b\n"
"	took l2, 8b, conditional\n"
"	took l2, 8b, conditional\n"

/* Calls, returns and jumps, by address and by register */
"j5:	jmp 9f\n"
"	took j5, 9f, jump\n"
"	ud2\n"
"9:\n"
"c1:	call f1\n"
"	took c1, f1, call\n"
"	took r1, c1_after, return\n"
"c1_after:\n"
"	" ADDRESS_OF("f2") "\n"
"c2:	call *" REGISTER "\n"
"	took c2, f2, call\n"
"	took r2, c2_after, return\n"
"c2_after:\n"
"	" ADDRESS_OF("j6_to") "\n"
"j6:	" JUMP_BY_TABLE "\n"
"	took j6, j6_to, jump\n"
"	ud2\n"
"j6_to:\n"
"c3:	call c3_after\n"
"	took c3, c3_after, call\n"
"c3_after:\n"
"	pop " REGISTER "\n"

/* Instructions that come again by themselves */
"	push " COUNTER "\n"
"	mov $5, %ecx\n"
"	cld\n"
"	" ADDRESS_OF("filled") "\n"
#ifdef __x86_64__
"	mov %rax, %rdi\n"
#else
"	mov %eax, %edi\n"
#endif
"	mov $1, %al\n"
"	rep stosb\n"
"	pop " COUNTER "\n"

/* The flags are those of the walk */
"	" PUSHF "\n"
"	pop " REGISTER "\n"
"	mov " REGISTER ", " TO("pushed_flags") "\n"
"	push " REGISTER "\n"
"	" POPF "\n"

/* To the kernel, and back */
"	mov $" GETPID ", %eax\n"
"s1:	" SYSCALL "\n"
"	took s1, 0, syscall\n"
"	took 0, s1_after, \"to user\"\n"
"s1_after:\n"
"	" KEEP_FLAGS "\n"

/* A breakpoint, and what the handler of its signal returns to */
"i1:	int3\n"
"	took i1, 0, exception\n"
"	took 0, i1_after, \"to user\"\n"
"i1_after:\n"

/* A fault: the handler of its signal goes on behind it */
"u1:	ud2\n"
"	took u1, 0, exception\n"
"	took 0, u1_after, \"to user\"\n"
"u1_after:\n"

/* The walk's own traps: each instruction ends with one, for which there is a signal */
"	" PUSHF "\n"
"	orl $0x100, " STACK_TOP "\n"
"	" POPF "\n"
"	nop\n"
"t1:	" PUSHF "\n"
"	took t1, 0, exception\n"
"	took 0, t1, \"to user\"\n"
"t2:	andl $~0x100, " STACK_TOP "\n"
"	took t2, 0, exception\n"
"	took 0, t2, \"to user\"\n"
"t3:	" POPF "\n"
"	took t3, 0, exception\n"
"	took 0, t3, \"to user\"\n"
"t4:	nop\n"
"	took t4, 0, exception\n"
"	took 0, t4, \"to user\"\n"

/* Between the load of a stack segment and the next instruction, the CPU may raise no trap */
"	mov %ss, %eax\n"
"	mov %eax, %ss\n"
"j7:	jmp 1f\n"
"	took j7, 1f, jump\n"
"	ud2\n"
"1:	mov %eax, %ss\n"
"	nop\n"
"	push $0x101\n"
"	mov %eax, %ss\n"
"	" PUSHF "\n"
"	" POPF "\n"
"	" PUSHF "\n"
"	mov %eax, %ss\n"
"	" POPF "\n"
"	pop " REGISTER "\n"
"	mov " REGISTER ", " TO("kept") "\n"
/* It may fail, too, before the next one has been executed, which is a trap */
"	xor %ecx, %ecx\n"
"	mov %ss, %eax\n"
"	mov %eax, %ss\n"
"m1:	mov (" COUNTER "), %ss\n"
"	took m1, 0, exception\n"
"	took 0, i2, \"to user\"\n"
"i2:	int3\n"
"	took i2, 0, exception\n"
"	took 0, i2_after, \"to user\"\n"
"i2_after:\n"

/* Emulators may raise none behind these either: once, twice in a row, in a loop */
"	pause\n"
"j8:	jmp 1f\n"
"	took j8, 1f, jump\n"
"	ud2\n"
"1:	pause\n"
"	nop\n"
"	mov $2, %ecx\n"
"1:	pause\n"
"	pause\n"
"	dec %ecx\n"
"j9:	jnz 1b\n"
"	took j9, 1b, conditional\n"
"	pause\n"
"	pause\n"
"j10:	jmp 1f\n"
"	took j10, 1f, jump\n"
"	ud2\n"
"1:	mov %ss, %eax\n"
"	mov %eax, %ss\n"
"	pause\n"
"	nop\n"

/* Another load of the stack segment, behind which only emulators raise none */
"	" PUSH_SEGMENT "\n"
"	lss " STACK_TOP ", %ecx\n"
"j11:	jmp 1f\n"
"	took j11, 1f, jump\n"
"	ud2\n"
"1:	lss " STACK_TOP ", %ecx\n"
"	" PUSHF "\n"
"	pop " REGISTER "\n"
"	mov " REGISTER ", " TO("shadowed_flags") "\n"
"	mov $" GETPID ", %eax\n"
"	lss " STACK_TOP ", %ecx\n"
"s2:	" SYSCALL "\n"
"	took s2, 0, syscall\n"
"	took 0, s2_after, \"to user\"\n"
"s2_after:\n"
"	lea 8" STACK_TOP ", %" STACK "\n"

/* Prefixes that count for nothing: more than four, and REX before others */
"p1:	" PREFIXES "\n"
"	jmp 1f\n"
"	took p1, 1f, jump\n"
"	ud2\n"
"1:	xor %eax, %eax\n"
"p2:	" PREFIXES "\n"
"	jz 1f\n"
"	took p2, 1f, conditional\n"
"	ud2\n"
"1:\n"
"p3:	" PREFIXES "\n"
"	call f3\n"
"	took p3, f3, call\n"
"	took r3, p3_after, return\n"
"p3_after:\n"
"	" PREFIXES "\n"
"	" PUSHF "\n"
"	pop " REGISTER "\n"
"	mov " REGISTER ", " TO("prefixed_flags") "\n"
"	mov $" GETPID ", %eax\n"
"p4:	" PREFIXES "\n"
"	" SYSCALL "\n"
"	took p4, 0, syscall\n"
"	took 0, p4_after, \"to user\"\n"
"p4_after:\n"
"	" KEEP_PREFIXED "\n"

/* Instructions that do nothing, which the kernel's decoder takes for shorter than they are */
"	.byte 0x0f, 0x19, 0xc0\n"
"	.byte 0x0f, 0x1d, 0x44, 0x00, 0x00\n"
"w_r:	ret\n"
"	took w_r, walk_after, return\n"

"f1:	nop\n"
"r1:	ret\n"
"f2:	nop\n"
"r2:	ret\n"
"f3:	nop\n"
"r3:	" PREFIXES "\n"
"	ret\n"
"	.globl walk_end\n"
"walk_end:\n"

"	.pushsection .data.branches, \"aw\"\n"
"	.globl branches_end\n"
"branches_end:\n"
"	.popsection\n"
);

#ifdef __i386__
extern const char own_begin[], own_end[];
extern const struct branch own_branches_end[];

/* Where it comes back to, behind the address */
extern unsigned short flat_segment;

/*
 * Another walk, in a segment that begins at 16, where addresses are less by that: such code is not
 * looked at, so its branches are of no known kind, nor is what brings it to the kernel. At the
 * address without the segment, there are others. No far calls: emulators have let them write to the
 * stack as the kernel, which faults.
 */
asm(
"own_walk:\n"
"	call own_begin\n"
"own_after:\n"
"	ret\n"
"	.globl own_begin\n"
"own_begin:\n"
"	ljmp $7, $own-16\n"
"	took own_begin, own-16, jump\n"
"	took own-16, own_trap-16, unknown\n"
"	took own_trap-16, 0, \"to kernel\"\n"
"	took 0, own_next-16, \"to user\"\n"
"	took own_far-16, own_back, unknown\n"
"	took own_back, own_after, return\n"
"	.balign 16\n"
"1:	jmp 1b\n"
"	.balign 16\n"
"own:	jmp own_trap\n"
"	.balign 32\n"
"	jmp own\n"
"	jmp own\n"
"	.balign 16\n"
"own_trap:\n"
"	int3\n"
"own_next:\n"
"	nop\n"
"own_far:\n"
"	ljmp *flat\n"
"	.balign 32\n"
"own_back:\n"
"	ret\n"
"	.globl own_end\n"
"own_end:\n"
"	.pushsection .data.branches, \"aw\"\n"
"	.globl own_branches_end\n"
"own_branches_end:\n"
"	.popsection\n"
"	.pushsection .data\n"
"	.globl flat_segment\n"
"flat:\n"
"	.long own_back\n"
"flat_segment:\n"
"	.word 0\n"
"	.popsection\n"
);

/* Make the segment, which is the first of its table */
static int make_segment(void)
{
	struct user_desc segment = {
		.base_addr = 16,
		.limit = 0xfffff,
		.limit_in_pages = 1,
		.seg_32bit = 1,
		.contents = MODIFY_LDT_CONTENTS_CODE,
	};

	asm("mov %%cs, %0" : "=r" (flat_segment));
	return syscall(SYS_modify_ldt, 1, &segment, sizeof(segment));
}
#endif

/* Where it is called, and where it crashes */
extern const char crash_call[], crash_it[], crash_at[];

asm(
"crash:\n"
"	.globl crash_call\n"
"crash_call:\n"
"	call crash_it\n"
"	ret\n"
"	.globl crash_it\n"
"crash_it:\n"
"	xor %eax, %eax\n"
"	.globl crash_at\n"
"crash_at:\n"
"	movb $0, (" REGISTER ")\n"
"	ret\n"
);

static void write_to_zero(void)
{
	printf("%p -> %p (call)\n", crash_call, crash_it);
	printf("%p -> kernel (exception)\n", crash_at);
	fflush(stdout);
	asm volatile("call crash" : : : REGISTER_NAME, "memory", "cc");
}

static void walk_it(void)
{
#ifdef __x86_64__
	asm volatile("lea -256(%%rsp), %%rsp\n\tcall walk\n\tlea 256(%%rsp), %%rsp"
		     : : : "rax", "rcx", "rdi", "r11", "memory", "cc");
#else
	asm volatile("call walk" : : : "eax", "ecx", "edi", "memory", "cc");
#endif
}

/* What comes first cannot be read when it is looked at, and is brought in when it is executed */
static int forget_walk(void)
{
	return madvise((void *)walk_begin, walk_end - walk_begin, MADV_DONTNEED);
}

static unsigned long flags_seen(void)
{
	return pushed_flags | syscall_flags | shadowed_flags | prefixed_flags |
	       prefixed_syscall_flags;
}

static void print_side(unsigned long address)
{
	if (address)
		printf("0x%lx", address);
	else
		printf("kernel");
}

static void print_branches(const char *begin, const char *end, const struct branch *branch,
			   const struct branch *last)
{
	printf("walk 0x%lx 0x%lx\n", (unsigned long)begin, (unsigned long)end);
	for (; branch < last; branch++) {
		print_side(branch->from);
		printf(" -> ");
		print_side(branch->to);
		printf(" (%s)\n", branch->kind);
	}
	printf("ready\n");
	fflush(stdout);
}

#define TRAP_FLAG 0x100

static volatile int nr_traps;

static void count_trap(int signal)
{
	(void)signal;
	nr_traps++;
}

/* Of "ud2", and of a load from memory */
static void pass_over(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_IP] += 2;
}

static void handle_signals(void)
{
	struct sigaction bad = { .sa_sigaction = pass_over, .sa_flags = SA_SIGINFO };

	signal(SIGTRAP, count_trap);
	sigaction(SIGILL, &bad, NULL);
	sigaction(SIGSEGV, &bad, NULL);
}

static int wait_to_go(void)
{
	char go;

	return read(0, &go, 1) == 1 ? 0 : 1;
}

static int check_traps(int expected)
{
	if (nr_traps == expected && !(flags_seen() & TRAP_FLAG))
		return 0;
	fprintf(stderr, "the walk has seen a trap flag, or missed one\n");
	return 1;
}

static int walk_own(void)
{
#ifdef __i386__
	if (make_segment()) {
		perror("modify_ldt");
		return 1;
	}
	print_branches(own_begin, own_end, branches_end, own_branches_end);
	if (wait_to_go())
		return 1;
	asm volatile("call own_walk" : : : "memory", "cc");
	return check_traps(1);
#else
	fprintf(stderr, "there are no such segments\n");
	return 4;
#endif
}

int main(int argc, char **argv)
{
	const char *how = argc == 2 ? argv[1] : "";

	if (!strcmp(how, "crash"))
		write_to_zero();
	handle_signals();
	if (!strcmp(how, "segment"))
		return walk_own();
	print_branches(walk_begin, walk_end, branches, branches_end);
	if (wait_to_go())
		return 1;
	if (!strcmp(how, "forget") && forget_walk()) {
		perror("madvise");
		return 1;
	}
	walk_it();
	if (check_traps(6))
		return 1;
	if (memcmp(filled, "\1\1\1\1\1\0\0", sizeof(filled)) || kept != 0x101) {
		fprintf(stderr, "the walk has been led astray\n");
		return 1;
	}
	return 0;
}
#endif
