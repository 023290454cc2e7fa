// SPDX-License-Identifier: GPL-2.0
/*
 * What a program could see of one who steps it: the trap flag, in all places where it shows, and
 * traps that are its own or a debugger's. Prints what it sees: the same, whether it is traced or
 * not. Addresses are printed as distances.
 *
 * Waits for a line on its standard input, and goes.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#if !defined(__x86_64__) && !defined(__i386__)
int main(void)
{
	return 4;
}
#else

#define TRAP_FLAG 0x100UL

#ifdef __x86_64__
#define IP(regs)	((regs)->rip)
#define GREG_IP		REG_RIP
#define PUSHF		"pushfq"
#define POPF		"popfq"
#else
#define IP(regs)	((regs)->eip)
#define GREG_IP		REG_EIP
#define PUSHF		"pushfl"
#define POPF		"popfl"
#endif

extern const char stepped_begin[], stepped_end[], trapped_begin[];

/* What the instruction syscall has kept of the flags, its own trap flag among them */
unsigned long trapped_flags;

asm(
/* A debugger steps through this. The flags are read and written, and a call is made. */
"	.globl stepped_begin, stepped_end\n"
"	.text\n"
"stepped:\n"
"stepped_begin:\n"
"	mov $2, %ecx\n"
"1:	dec %ecx\n"
"	jnz 1b\n"
"	" PUSHF "\n"
"	" POPF "\n"
"	call 2f\n"
"	nop\n"
"	jmp 3f\n"
"2:	ret\n"
"3:	ret\n"
"stepped_end:\n"

/* This sets the trap flag itself, and clears it again */
"	.globl trapped_begin\n"
"trapped:\n"
"	" PUSHF "\n"
#ifdef __x86_64__
"	orq $0x100, (%rsp)\n"
#else
"	orl $0x100, (%esp)\n"
#endif
"	" POPF "\n"
"trapped_begin:\n"
"	nop\n"
#ifdef __x86_64__
"	mov $39, %eax\n"
"	syscall\n"
"	mov %r11, trapped_flags(%rip)\n"
#endif
"	call 4f\n"
"	jmp 5f\n"
"4:	ret\n"
"5:	" PUSHF "\n"
#ifdef __x86_64__
"	andq $~0x100, (%rsp)\n"
#else
"	andl $~0x100, (%esp)\n"
#endif
"	" POPF "\n"
"	nop\n"
"	ret\n"
);

void stepped(void);
void trapped(void);

static unsigned long flags_now(void)
{
	unsigned long flags;

	asm volatile(PUSHF "\n\tpop %0" : "=r" (flags));
	return flags & TRAP_FLAG;
}

/* What handlers have seen */
static struct seen {
	long		distance;
	unsigned long	flags;
	int		code;
} seen[64];

static volatile int nr_seen;
static const char *from;

static void handler(int signal, siginfo_t *info, void *data)
{
	ucontext_t *context = data;

	(void)signal;
	if (nr_seen == 64)
		_exit(1);
	seen[nr_seen++] = (struct seen) {
		.distance = from ? (const char *)context->uc_mcontext.gregs[GREG_IP] - from : 0,
		.flags = (context->uc_mcontext.gregs[REG_EFL] & TRAP_FLAG) | flags_now(),
		.code = info->si_code,
	};
}

static void print_seen(const char *what)
{
	int i;

	printf("%s: %d signals", what, nr_seen);
	for (i = 0; i < nr_seen; i++)
		printf(" %ld/%lx/%d", seen[i].distance, seen[i].flags, seen[i].code);
	printf(", then flags %lx\n", flags_now());
	nr_seen = 0;
}

static void handle(int signal)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };

	sigaction(signal, &action, NULL);
}

static void test_signal(void)
{
	handle(SIGUSR1);
	from = NULL;
	raise(SIGUSR1);
	print_seen("SIGUSR1");
}

static void test_own_traps(void)
{
	handle(SIGTRAP);
	from = trapped_begin;
	trapped();
	printf("flags kept by syscall: %lx\n", trapped_flags & TRAP_FLAG);
	print_seen("own traps");
}

static void test_breakpoint(void)
{
	handle(SIGTRAP);
	from = NULL;
	asm volatile("int3" : : : "memory");
	print_seen("int3");
}

static void print_end(const char *name, pid_t child)
{
	int status;

	waitpid(child, &status, 0);
	printf("%s: %x\n", name, status);
}

/* What kills a child. Emulators may not know int1 (0xf1), and raise another exception. */
static void test_fault(void)
{
	int which;

	for (which = 0; which < 2; which++) {
		pid_t child = fork();

		if (!child) {
			signal(SIGTRAP, SIG_DFL);
			if (which)
				asm volatile(".byte 0xf1");
			else
				asm volatile("ud2");
			_exit(0);
		}
		print_end("fault", child);
	}
}

/* A number that looks like flags is in the register where another system call would store them */
static void call_by_interrupt(void)
{
#ifdef __x86_64__
	register unsigned long kept asm("r11") = TRAP_FLAG;
#else
	unsigned long kept = TRAP_FLAG;
#endif
	long result = 20;

	asm volatile("int $0x80" : "+a" (result), "+r" (kept) : : "memory");
	printf("int80: %d, kept %lx\n", result == getpid(), kept);
}

/* Kernels need not have it */
static void test_interrupt(void)
{
	pid_t child = fork();

	if (!child) {
		call_by_interrupt();
		_exit(0);
	}
	print_end("int80", child);
}

static void test_fork(void)
{
	pid_t child = fork();

	if (!child)
		_exit(flags_now() ? 1 : 7);
	print_end("fork", child);
}

static void test_vfork_exec(void)
{
	pid_t child = vfork();

	if (!child) {
		execl("/proc/self/exe", "branch-unseen", "child", NULL);
		_exit(2);
	}
	print_end("exec", child);
}

/* Through the vDSO, which has its own way to the kernel on 32 bits */
static void test_syscalls(void)
{
	long pid = getpid(), result;
	int i;

	for (i = 0; i < 3; i++) {
		if (syscall(SYS_getppid) <= 0 || syscall(SYS_getpid) != pid)
			printf("syscalls: wrong\n");
	}
	errno = 0;
	result = syscall(SYS_close, -1);
	printf("syscalls: %ld %d, flags %lx\n", result, errno, flags_now());
#ifdef __i386__
	asm volatile("call *%%gs:0x10" : "=a" (pid) : "0" (SYS_close), "b" (-1) : "memory");
	printf("vsyscall: %ld, flags %lx\n", pid, flags_now());
#endif
}

/* What seccomp makes of getppid(), everything else is allowed */
static void filter(unsigned int action)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = 4, .filter = code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		printf("seccomp: not allowed\n");
}

static void test_seccomp(const char *name, unsigned int action)
{
	pid_t parent = getpid(), child = fork();
	long result;

	if (!child) {
		handle(SIGSYS);
		from = NULL;
		filter(action);
		errno = 0;
		result = syscall(SYS_getppid);
		printf("getppid: %ld %d, ", result == parent ? 0 : result, errno);
		print_seen(name);
		_exit(flags_now() ? 1 : 9);
	}
	print_end(name, child);
}

static void test_seccomp_strict(void)
{
	pid_t child = fork();

	if (!child) {
		if (!prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
			syscall(SYS_getppid);
		_exit(1);
	}
	print_end("strict", child);
}

static void go_on(pid_t child, int request, int *status)
{
	ptrace(request, child, NULL, NULL);
	if (waitpid(child, status, 0) != child)
		exit(1);
}

/* Where the child is in what it is stepped through, its flags, and why it has stopped */
static void print_place(const struct user_regs_struct *regs, unsigned long more)
{
	long distance = (long)IP(regs) - (long)stepped_begin;

	if (distance < 0 || distance >= stepped_end - stepped_begin)
		printf(" elsewhere");
	else
		printf(" %ld", distance);
	printf("/%lx/%lx", (unsigned long)regs->eflags & TRAP_FLAG, more);
}

/* A debugger steps a child through code that it knows: where it is, and its flags */
static void test_debugger(const char *name, int request, int nr)
{
	struct user_regs_struct regs;
	pid_t child = fork();
	int status, i;

	if (!child) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		stepped();
		_exit(flags_now() ? 1 : 3);
	}
	waitpid(child, &status, 0);
	ptrace(PTRACE_GETREGS, child, NULL, &regs);
	IP(&regs) = (unsigned long)stepped_begin;
	ptrace(PTRACE_SETREGS, child, NULL, &regs);
	printf("%s:", name);
	for (i = 0; i < nr; i++) {
		go_on(child, request, &status);
		ptrace(PTRACE_GETREGS, child, NULL, &regs);
		print_place(&regs, status);
		if ((unsigned long)IP(&regs) + 1 == (unsigned long)stepped_end)
			break;
	}
	printf("\n");
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
}

/* A debugger watches where a child executes, by a breakpoint of the CPU */
static void test_watch(void)
{
	struct user_regs_struct regs;
	pid_t child = fork();
	int status, i;

	if (!child) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		stepped();
		stepped();
		_exit(flags_now() ? 1 : 3);
	}
	waitpid(child, &status, 0);
	ptrace(PTRACE_POKEUSER, child, offsetof(struct user, u_debugreg[0]), stepped_begin);
	ptrace(PTRACE_POKEUSER, child, offsetof(struct user, u_debugreg[7]), 1);
	printf("watch:");
	for (i = 0; i < 3; i++) {
		go_on(child, PTRACE_CONT, &status);
		if (WIFEXITED(status))
			break;
		ptrace(PTRACE_GETREGS, child, NULL, &regs);
		print_place(&regs, ptrace(PTRACE_PEEKUSER, child,
					  offsetof(struct user, u_debugreg[6]), 0) & 0x400f);
	}
	printf(", then %x\n", status);
}

int main(int argc, char **argv)
{
	char go;

	(void)argv;
	if (argc > 1)
		return flags_now() ? 1 : 5;
	printf("ready\n");
	fflush(stdout);
	if (read(0, &go, 1) != 1)
		return 1;
	setvbuf(stdout, NULL, _IONBF, 0);
	test_signal();
	test_own_traps();
	test_breakpoint();
	test_fault();
	test_interrupt();
	test_fork();
	test_vfork_exec();
	test_syscalls();
	test_seccomp("allowed", SECCOMP_RET_ALLOW);
	test_seccomp("errno", SECCOMP_RET_ERRNO | ENOTUNIQ);
	test_seccomp("trap", SECCOMP_RET_TRAP | 5);
	test_seccomp("kill", SECCOMP_RET_KILL_PROCESS);
	test_seccomp_strict();
	test_debugger("step", PTRACE_SINGLESTEP, 16);
	test_debugger("blocks", PTRACE_SINGLEBLOCK, 16);
	test_debugger("syscall steps", PTRACE_SYSCALL, 1);
	test_watch();
	return 0;
}
#endif
