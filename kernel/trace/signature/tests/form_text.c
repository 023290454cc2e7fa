// SPDX-License-Identifier: GPL-2.0
/* Copy an object and print it, as the tracers do, by its form. */
#include <linux/bitmap.h>
#include <linux/preempt.h>

#include "builder.h"
#include "form_text.h"

/* Forms whose text was looked at */
#define MOST_FORMS	256

static DECLARE_BITMAP(tested, MOST_FORMS);

/**
 * form_of - find a form that must exist
 * @test: the test
 * @name: the name of the structure
 * @size: its size
 *
 * Return: the form; the test ends if there is none.
 */
const struct ftrace_form *form_of(struct kunit *test, const char *name, u32 size)
{
	const struct ftrace_form *form = ftrace_form_find(name, size);

	KUNIT_ASSERT_NOT_NULL_MSG(test, form, "%s", name);
	KUNIT_ASSERT_LT(test, ftrace_form_id(form), MOST_FORMS);
	set_bit(ftrace_form_id(form), tested);
	return form;
}

/**
 * form_was_tested - whether form_of() has found a form since the boot
 * @form: the form
 *
 * Return: whether it has.
 */
bool form_was_tested(const struct ftrace_form *form)
{
	return test_bit(ftrace_form_id(form), tested);
}

/**
 * form_capture - copy what a form shows
 * @form: the form
 * @object: the structure, or what is none
 * @to: where to
 * @room: how many bytes are there
 *
 * Return: the number of bytes, 0 if nothing can be read.
 */
unsigned int form_capture(const struct ftrace_form *form, const void *object, void *to,
			  unsigned int room)
{
	const struct form_writer where = {
		.to = to, .room = room, .length = FORM_LENGTH_UNKNOWN,
	};

	guard(preempt)();
	return ftrace_form_capture(form, (unsigned long)object, &where);
}

/**
 * form_text - what a form shows
 * @test: the test
 * @form: the form
 * @object: a structure that can be read
 * @how: FTRACE_SIG_HASH and so on
 *
 * Return: the text, which lives as long as the test.
 */
const char *form_text(struct kunit *test, const struct ftrace_form *form, const void *object,
		      unsigned int how)
{
	u8 *data = kunit_kzalloc(test, FTRACE_FORM_ROOM, GFP_KERNEL);
	struct trace_seq *s = builder_seq(test);
	unsigned int size;

	KUNIT_ASSERT_NOT_NULL(test, data);
	size = form_capture(form, object, data, FTRACE_FORM_ROOM);
	KUNIT_EXPECT_NE(test, size, 0);
	KUNIT_EXPECT_LE(test, size, FTRACE_FORM_ROOM);
	form->print(s, data, size, how);
	return builder_text(s);
}
