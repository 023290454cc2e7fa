// SPDX-License-Identifier: GPL-2.0
/*
 * What instructions do, in both modes, and which conditional jumps are taken.
 */
#include <asm/processor-flags.h>
#include <asm/ptrace.h>
#include <asm/segment.h>
#include <kunit/test.h>

#include "../insn.h"

#define BOTH (BIT(INSN_MODE_32) | BIT(INSN_MODE_64))
#define ONLY_32 BIT(INSN_MODE_32)
#define ONLY_64 BIT(INSN_MODE_64)

struct sample {
	const char	*name;
	u8		bytes[MAX_INSN_SIZE];
	u8		length;
	u8		what;
	u8		modes;
};

#define SAMPLE(_name, _what, _modes, ...)					\
	{ .name = _name, .what = BRANCH_INSN_##_what, .modes = _modes,		\
	  .bytes = { __VA_ARGS__ }, .length = sizeof((u8[]){ __VA_ARGS__ }) }

static const struct sample samples[] = {
	SAMPLE("nop", OTHER, BOTH, 0x90),
	SAMPLE("mov", OTHER, BOTH, 0x89, 0xc8),
	SAMPLE("lea in 64 bits", OTHER, ONLY_64, 0x48, 0x8d, 0x05, 1, 2, 3, 4),
	SAMPLE("inc by 0xff", OTHER, BOTH, 0xff, 0xc0),
	SAMPLE("push by 0xff", OTHER, BOTH, 0xff, 0x30),
	SAMPLE("push by 0xff, displaced", OTHER, BOTH, 0xff, 0x75, 0x10),
	SAMPLE("vzeroupper", OTHER, BOTH, 0xc5, 0xf8, 0x77),
	SAMPLE("vpshufd, 0x70 as jo", OTHER, BOTH, 0xc5, 0xf9, 0x70, 0xc1, 1),
	SAMPLE("pshufd, 0x0f 0x70", OTHER, BOTH, 0x66, 0x0f, 0x70, 0xc1, 1),
	SAMPLE("pmaddubsw, 0x0f 0x38 0x04", OTHER, BOTH, 0x0f, 0x38, 0x04, 0xc1),
	SAMPLE("endbr64", OTHER, BOTH, 0xf3, 0x0f, 0x1e, 0xfa),
	SAMPLE("pause", SHADOW, BOTH, 0xf3, 0x90),
	SAMPLE("call", CALL, BOTH, 0xe8, 1, 2, 3, 4),
	SAMPLE("call by register", CALL, BOTH, 0xff, 0xd0),
	SAMPLE("call by memory", CALL, BOTH, 0xff, 0x10),
	SAMPLE("call by memory, r12", CALL, ONLY_64, 0x41, 0xff, 0x14, 0x24),
	SAMPLE("far call by memory", CALL, BOTH, 0xff, 0x18),
	SAMPLE("far call", CALL, ONLY_32, 0x9a, 1, 2, 3, 4, 5, 6),
	SAMPLE("call without tracking", CALL, BOTH, 0x3e, 0xff, 0xd0),
	SAMPLE("ret", RETURN, BOTH, 0xc3),
	SAMPLE("ret with rep", RETURN, BOTH, 0xf3, 0xc3),
	SAMPLE("ret of bytes", RETURN, BOTH, 0xc2, 8, 0),
	SAMPLE("far ret", RETURN, BOTH, 0xcb),
	SAMPLE("far ret of bytes", RETURN, BOTH, 0xca, 8, 0),
	SAMPLE("iret", IRET, BOTH, 0xcf),
	SAMPLE("iretq", IRET, ONLY_64, 0x48, 0xcf),
	SAMPLE("jmp", JUMP, BOTH, 0xe9, 1, 2, 3, 4),
	SAMPLE("jmp short", JUMP, BOTH, 0xeb, 1),
	SAMPLE("jmp by register", JUMP, BOTH, 0xff, 0xe0),
	SAMPLE("jmp by table", JUMP, BOTH, 0xff, 0x24, 0xc5, 1, 2, 3, 4),
	SAMPLE("far jmp by memory", JUMP, BOTH, 0xff, 0x28),
	SAMPLE("far jmp", JUMP, ONLY_32, 0xea, 1, 2, 3, 4, 5, 6),
	SAMPLE("jo", CONDITIONAL, BOTH, 0x70, 1),
	SAMPLE("jg", CONDITIONAL, BOTH, 0x7f, 1),
	SAMPLE("jo near", CONDITIONAL, BOTH, 0x0f, 0x80, 1, 2, 3, 4),
	SAMPLE("jg near", CONDITIONAL, BOTH, 0x0f, 0x8f, 1, 2, 3, 4),
	SAMPLE("jne likely", CONDITIONAL, BOTH, 0x3e, 0x75, 1),
	SAMPLE("loopne", CONDITIONAL, BOTH, 0xe0, 1),
	SAMPLE("loop", CONDITIONAL, BOTH, 0xe2, 1),
	SAMPLE("jcxz", CONDITIONAL, BOTH, 0xe3, 1),
	SAMPLE("jcxz, smaller", CONDITIONAL, BOTH, 0x67, 0xe3, 1),
	SAMPLE("sete", OTHER, BOTH, 0x0f, 0x94, 0xc0),
	SAMPLE("cmove", OTHER, BOTH, 0x0f, 0x44, 0xc1),
	SAMPLE("syscall", SYSCALL, BOTH, 0x0f, 0x05),
	SAMPLE("sysenter", SYSENTER, BOTH, 0x0f, 0x34),
	SAMPLE("int 0x80", SYSENTER, BOTH, 0xcd, 0x80),
	SAMPLE("int 3", TRAP, BOTH, 0xcd, 3),
	SAMPLE("int3", TRAP, BOTH, 0xcc),
	SAMPLE("int1", TRAP, BOTH, 0xf1),
	SAMPLE("into", TRAP, ONLY_32, 0xce),
	SAMPLE("pushf", PUSHF, BOTH, 0x9c),
	SAMPLE("pushfw", PUSHF, BOTH, 0x66, 0x9c),
	SAMPLE("popf", POPF, BOTH, 0x9d),
	SAMPLE("mov to ss", SHADOW, BOTH, 0x8e, 0xd0),
	SAMPLE("mov to ds", OTHER, BOTH, 0x8e, 0xd8),
	SAMPLE("mov from ss", OTHER, BOTH, 0x8c, 0xd0),
	SAMPLE("pop ss", SHADOW, ONLY_32, 0x17),
	SAMPLE("lss", SHADOW, BOTH, 0x0f, 0xb2, 0x0c, 0x24),
	SAMPLE("sti", SHADOW, BOTH, 0xfb),
	SAMPLE("nop with a prefix", OTHER, BOTH, 0x66, 0x90),
	SAMPLE("repne nop", OTHER, BOTH, 0xf2, 0x90),
	SAMPLE("rep movsb", REP, BOTH, 0xf3, 0xa4),
	SAMPLE("repne scasb", REP, BOTH, 0xf2, 0xae),
	SAMPLE("rep movsw", REP, BOTH, 0xf3, 0x66, 0xa5),
	SAMPLE("rep stosq", REP, ONLY_64, 0xf3, 0x48, 0xab),
	SAMPLE("rep outsb", REP, BOTH, 0xf3, 0x6e),
	SAMPLE("movsb", OTHER, BOTH, 0xa4),
	SAMPLE("test, in between", OTHER, BOTH, 0xa8, 1),
	SAMPLE("xbegin", XBEGIN, BOTH, 0xc7, 0xf8, 1, 2, 3, 4),
	SAMPLE("mov by 0xc7", OTHER, BOTH, 0xc7, 0xc0, 1, 2, 3, 4),
	SAMPLE("ret with REX before rep", RETURN, ONLY_64, 0x48, 0xf3, 0xc3),
	SAMPLE("jmp with REX before a segment", JUMP, ONLY_64, 0x48, 0x2e, 0xeb, 1),
	SAMPLE("jz with REX before a segment", CONDITIONAL, ONLY_64, 0x40, 0x3e, 0x74, 1),
	SAMPLE("jcxz with REX, smaller", CONDITIONAL, ONLY_64, 0x40, 0x67, 0xe3, 1),
	SAMPLE("call with REX before a segment", CALL, ONLY_64, 0x48, 0x64, 0xe8, 1, 2, 3, 4),
	SAMPLE("pushf with REX before a segment", PUSHF, ONLY_64, 0x48, 0x2e, 0x9c),
	SAMPLE("pushfw with REX before its size", PUSHF, ONLY_64, 0x48, 0x66, 0x9c),
	SAMPLE("popf with REX twice", POPF, ONLY_64, 0x41, 0x48, 0x9d),
	SAMPLE("syscall with REX before a segment", SYSCALL, ONLY_64, 0x48, 0x2e, 0x0f, 0x05),
	SAMPLE("mov ss with REX before a segment", SHADOW, ONLY_64, 0x48, 0x2e, 0x8e, 0xd1),
	SAMPLE("mov by REX that counts", OTHER, ONLY_64, 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8),
	SAMPLE("mov by REX that does not", OTHER, ONLY_64, 0x48, 0x2e, 0xb8, 1, 2, 3, 4),
	SAMPLE("mov by REX behind the size", OTHER, ONLY_64, 0x66, 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7,
	       8),
	SAMPLE("ret with all segments", RETURN, BOTH, 0x2e, 0x3e, 0x26, 0x36, 0x64, 0x65, 0xc3),
	SAMPLE("jmp with five prefixes", JUMP, BOTH, 0x2e, 0x3e, 0x26, 0x36, 0x64, 0xeb, 1),
	SAMPLE("pushf with five prefixes", PUSHF, BOTH, 0x2e, 0x3e, 0x26, 0x36, 0x64, 0x9c),
	SAMPLE("rep movsw with six prefixes", REP, BOTH, 0x66, 0x2e, 0x67, 0x3e, 0xf3, 0x26, 0xa5),
	SAMPLE("the longest", RETURN, BOTH, 0x2e, 0x2e, 0x2e, 0x2e, 0x3e, 0x3e, 0x3e, 0x26, 0x26,
	       0x26, 0x36, 0x36, 0x64, 0x65, 0xc3),
	SAMPLE("inc, then a prefix", OTHER, ONLY_32, 0x48),
};

static void check_sample(struct kunit *test, const struct sample *sample, enum insn_mode mode)
{
	struct branch_insn_read read;

	branch_insn_decode(&read, sample->bytes, sizeof(sample->bytes), mode);
	KUNIT_EXPECT_EQ_MSG(test, read.what, sample->what, "%s", sample->name);
	KUNIT_EXPECT_EQ_MSG(test, read.length, sample->length, "%s", sample->name);
}

static void test_samples(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		if (samples[i].modes & ONLY_32)
			check_sample(test, &samples[i], INSN_MODE_32);
		if (samples[i].modes & ONLY_64)
			check_sample(test, &samples[i], INSN_MODE_64);
	}
}

/* Of an instruction that is cut, nothing is said */
static void test_cut(struct kunit *test)
{
	unsigned int i, size;

	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		enum insn_mode mode = samples[i].modes & ONLY_64 ? INSN_MODE_64 : INSN_MODE_32;

		for (size = 0; size < samples[i].length; size++) {
			struct branch_insn_read read;

			branch_insn_decode(&read, samples[i].bytes, size, mode);
			KUNIT_EXPECT_EQ_MSG(test, read.what, BRANCH_INSN_UNKNOWN, "%s",
					    samples[i].name);
			KUNIT_EXPECT_EQ(test, read.length, 0);
		}
	}
}

/*
 * Each condition, under all flags that conditions depend on: the CPU itself says which it fulfils.
 * Set instructions have the conditions of jumps.
 */
#define CPU_SAYS(_name, _set)								\
	static bool _name(unsigned long flags)						\
	{										\
		bool set;								\
											\
		asm volatile("push %1\n\tpopf\n\t" _set " %0" : "=qm" (set) : "r" (flags) : "cc"); \
		return set;								\
	}

CPU_SAYS(cpu_says_o, "seto")
CPU_SAYS(cpu_says_no, "setno")
CPU_SAYS(cpu_says_b, "setb")
CPU_SAYS(cpu_says_ae, "setae")
CPU_SAYS(cpu_says_e, "sete")
CPU_SAYS(cpu_says_ne, "setne")
CPU_SAYS(cpu_says_be, "setbe")
CPU_SAYS(cpu_says_a, "seta")
CPU_SAYS(cpu_says_s, "sets")
CPU_SAYS(cpu_says_ns, "setns")
CPU_SAYS(cpu_says_p, "setp")
CPU_SAYS(cpu_says_np, "setnp")
CPU_SAYS(cpu_says_l, "setl")
CPU_SAYS(cpu_says_ge, "setge")
CPU_SAYS(cpu_says_le, "setle")
CPU_SAYS(cpu_says_g, "setg")

static bool (*const cpu_says[])(unsigned long flags) = {
	cpu_says_o, cpu_says_no, cpu_says_b, cpu_says_ae, cpu_says_e, cpu_says_ne, cpu_says_be,
	cpu_says_a, cpu_says_s, cpu_says_ns, cpu_says_p, cpu_says_np, cpu_says_l, cpu_says_ge,
	cpu_says_le, cpu_says_g,
};

static const unsigned long flag_bits[] = {
	X86_EFLAGS_CF, X86_EFLAGS_PF, X86_EFLAGS_ZF, X86_EFLAGS_SF, X86_EFLAGS_OF,
};

static unsigned long some_flags(unsigned int which)
{
	unsigned long flags = X86_EFLAGS_FIXED | X86_EFLAGS_IF;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(flag_bits); i++) {
		if (which & BIT(i))
			flags |= flag_bits[i];
	}
	return flags;
}

static void test_conditions(struct kunit *test)
{
	unsigned int condition, which;

	for (condition = 0; condition < 16; condition++) {
		struct branch_insn_read near = { .opcode = 0x80 + condition };
		struct branch_insn_read brief = { .opcode = 0x70 + condition };

		for (which = 0; which < BIT(ARRAY_SIZE(flag_bits)); which++) {
			struct pt_regs regs = { .flags = some_flags(which) };
			bool expected = cpu_says[condition](regs.flags);

			KUNIT_EXPECT_EQ(test, branch_insn_was_taken(&near, &regs), expected);
			KUNIT_EXPECT_EQ(test, branch_insn_was_taken(&brief, &regs), expected);
		}
	}
}

static void expect_taken(struct kunit *test, u8 opcode, u8 address_bytes, unsigned long cx,
			 unsigned long flags, bool taken)
{
	struct branch_insn_read read = { .opcode = opcode, .address_bytes = address_bytes };
	struct pt_regs regs = { .cx = cx, .flags = flags };

	KUNIT_EXPECT_EQ_MSG(test, branch_insn_was_taken(&read, &regs), taken,
			    "0x%x, %u bytes, counter %lx, flags %lx", opcode, address_bytes, cx,
			    flags);
}

static void test_counters(struct kunit *test)
{
	unsigned int zero;

	for (zero = 0; zero < 2; zero++) {
		unsigned long flags = zero ? X86_EFLAGS_ZF : 0;

		expect_taken(test, 0xe0, sizeof(long), 1, flags, !zero);
		expect_taken(test, 0xe0, sizeof(long), 0, flags, false);
		expect_taken(test, 0xe1, sizeof(long), 1, flags, zero);
		expect_taken(test, 0xe1, sizeof(long), 0, flags, false);
		expect_taken(test, 0xe2, sizeof(long), 1, flags, true);
		expect_taken(test, 0xe2, sizeof(long), 0, flags, false);
		expect_taken(test, 0xe3, sizeof(long), 1, flags, false);
		expect_taken(test, 0xe3, sizeof(long), 0, flags, true);
	}
	/* Only as much of the counter counts as addresses have */
	expect_taken(test, 0xe2, 2, 0x10000, 0, false);
	expect_taken(test, 0xe2, 4, 0x10000, 0, true);
	expect_taken(test, 0xe3, 2, 0x10000, 0, true);
	if (sizeof(long) == 8) {
		expect_taken(test, 0xe2, 4, ~0UL << 31 << 1, 0, false);
		expect_taken(test, 0xe2, 8, ~0UL << 31 << 1, 0, true);
	}
}

static void expect_branched(struct kunit *test, enum branch_insn what, bool user, long distance,
			    bool branched)
{
	struct branch_insn_read read = { .what = what, .length = 3 };
	struct pt_regs regs = {
		.cs = user ? __USER_CS : __KERNEL_CS,
		.ip = 1000 + distance,
	};

	KUNIT_EXPECT_EQ_MSG(test, branch_insn_has_branched(&read, 1000, &regs), branched,
			    "instruction %u of %s mode, to %ld", what, user ? "user" : "kernel",
			    distance);
}

/* Where it goes tells whether an instruction that is no branch has branched */
static void test_next(struct kunit *test)
{
	unsigned int user;

	for (user = 0; user < 2; user++) {
		expect_branched(test, BRANCH_INSN_OTHER, user, 3, false);
		expect_branched(test, BRANCH_INSN_OTHER, user, MAX_INSN_SIZE + 1, true);
		expect_branched(test, BRANCH_INSN_OTHER, user, -1, true);
		expect_branched(test, BRANCH_INSN_XBEGIN, user, 3, false);
		expect_branched(test, BRANCH_INSN_XBEGIN, user, 4, true);
		expect_branched(test, BRANCH_INSN_REP, user, 3, false);
		expect_branched(test, BRANCH_INSN_REP, user, 0, false);
		expect_branched(test, BRANCH_INSN_REP, user, 4, true);
		expect_branched(test, BRANCH_INSN_UNKNOWN, user, MAX_INSN_SIZE, false);
		expect_branched(test, BRANCH_INSN_UNKNOWN, user, MAX_INSN_SIZE + 1, true);
		expect_branched(test, BRANCH_INSN_JUMP, user, 3, true);
	}
	/* The decoder may not know it */
	expect_branched(test, BRANCH_INSN_OTHER, true, 4, false);
	expect_branched(test, BRANCH_INSN_OTHER, true, MAX_INSN_SIZE, false);
	/* The text may have been patched */
	expect_branched(test, BRANCH_INSN_OTHER, false, 4, true);
}

static struct kunit_case branch_insn_cases[] = {
	KUNIT_CASE(test_samples),
	KUNIT_CASE(test_cut),
	KUNIT_CASE(test_conditions),
	KUNIT_CASE(test_counters),
	KUNIT_CASE(test_next),
	{}
};

static struct kunit_suite branch_insn_suite = {
	.name = "branch_insn",
	.test_cases = branch_insn_cases,
};

kunit_test_suite(branch_insn_suite);
