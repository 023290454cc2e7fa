/* SPDX-License-Identifier: GPL-2.0 */
/* A structure for the documentation's example of a form. */
#ifndef _KERNEL_TRACE_SIGNATURE_TESTS_FORM_EXAMPLE_H
#define _KERNEL_TRACE_SIGNATURE_TESTS_FORM_EXAMPLE_H

#include "../forms/form.h"

struct form_example {
	const char		*name;
	unsigned int		flags;
	struct form_example	*parent;
};

extern const struct ftrace_form ftrace_form_form_example;

#endif /* _KERNEL_TRACE_SIGNATURE_TESTS_FORM_EXAMPLE_H */
