/* SPDX-License-Identifier: GPL-2.0 */
/* What the tests of sets have in common: calling a stub as a call site does. */
#ifndef _KERNEL_TRACE_FTRACE_SETS_TEST_H
#define _KERNEL_TRACE_FTRACE_SETS_TEST_H

#include <kunit/test.h>
#include <linux/compiler.h>
#include <linux/ftrace_sets.h>
#include <linux/mutex.h>
#include <linux/objtool.h>
#include <asm/nospec-branch.h>

#include "ftrace_internal.h"
#include "trace_call_site_test.h"

/* The stub that is called */
static unsigned long test_set_stub __used;

/* Whether the carry flag was set behind it; it is set before it */
static bool test_set_carry __used;

/* Whether the call returned to test_set_stub_elsewhere */
static bool test_set_elsewhere __used;

/*
 * Call the stub with @regs in the registers and PARENT as the return address of the "traced
 * function", and leave in @regs what the registers are then. A call through a register or from
 * memory would want an ENDBR in the stub, so it is returned to.
 */
void test_call_set_stub(unsigned long *regs);
extern const char test_set_stub_called[], test_set_stub_elsewhere[];
asm(".pushsection .text\n"
	".type test_call_set_stub, @function\n"
	"test_call_set_stub:\n"
	"\t" ASM_ENDBR
	TEST_SAVE
	TEST_PUSH_PARENT
	"\tpush $test_set_stub_called\n"
	"\tpush " TEST_VARIABLE("test_set_stub") "\n"
	"\tmovb $0, " TEST_VARIABLE("test_set_elsewhere") "\n"
	TEST_LOAD
	"\tstc\n"
	ASM_RET
	"test_set_stub_elsewhere:\n"
	ANNOTATE_NOENDBR
	"\tmovb $1, " TEST_VARIABLE("test_set_elsewhere") "\n"
	"test_set_stub_called:\n"
	ANNOTATE_NOENDBR
	"\tsetc " TEST_VARIABLE("test_set_carry") "\n"
	TEST_STORE
	TEST_POP_PARENT
	TEST_RESTORE
	ASM_RET
	".size test_call_set_stub, .-test_call_set_stub\n"
	".popsection\n");
STACK_FRAME_NON_STANDARD(test_call_set_stub);

static unsigned int set_entry(struct ftrace_ops *const *ops, unsigned int nr, unsigned int kind)
{
	guard(mutex)(&ftrace_lock);
	ftrace_sets_make_room();
	return ftrace_set_entry(ops, nr, kind);
}

/* What the next call calls */
static void use_stub(struct kunit *test, struct ftrace_ops *const *ops, unsigned int nr,
		     unsigned int kind)
{
	unsigned int entry = set_entry(ops, nr, kind);

	KUNIT_ASSERT_NE(test, entry, 0);
	test_set_stub = ftrace_set_address(entry);
}

#endif /* _KERNEL_TRACE_FTRACE_SETS_TEST_H */
