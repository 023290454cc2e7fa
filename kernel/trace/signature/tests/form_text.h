/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the tests of forms: an object as its form shows it. */
#ifndef _KERNEL_TRACE_SIGNATURE_TESTS_FORM_TEXT_H
#define _KERNEL_TRACE_SIGNATURE_TESTS_FORM_TEXT_H

#include <kunit/test.h>

#include "../forms.h"

const struct ftrace_form *form_of(struct kunit *test, const char *name, u32 size);
unsigned int form_capture(const struct ftrace_form *form, const void *object, void *to,
			  unsigned int room);
const char *form_text(struct kunit *test, const struct ftrace_form *form, const void *object,
		      unsigned int how);

bool form_was_tested(const struct ftrace_form *form);

/* The object, as the form of this name shows it, must be this text */
#define EXPECT_TEXT(test, name, object, format, ...)				\
	EXPECT_TEXT_HOW(test, name, object, 0, format, ##__VA_ARGS__)

#define EXPECT_TEXT_HOW(test, name, object, how, format, ...)			\
do {										\
	char *_line = kunit_kzalloc(test, 512, GFP_KERNEL);			\
										\
	KUNIT_ASSERT_NOT_NULL(test, _line);					\
	snprintf(_line, 512, format, ##__VA_ARGS__);				\
	KUNIT_EXPECT_STREQ(test, form_text(test, form_of(test, name, sizeof(*(object))),	\
					   object, how), _line);			\
} while (0)

#endif /* _KERNEL_TRACE_SIGNATURE_TESTS_FORM_TEXT_H */
