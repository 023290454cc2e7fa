// SPDX-License-Identifier: GPL-2.0
/* The example in Documentation/trace/ftrace-signatures-design.rst. */
#include "form_example.h"

FORM_OF_STRUCT(form_example,
	STRING("name", struct form_example, name),
	MEMBER("flags", struct form_example, flags, form_hex),
	STRING_OF("parent", struct form_example, parent, struct form_example, name));
