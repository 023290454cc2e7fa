// SPDX-License-Identifier: GPL-2.0
/* The functions of ftrace-truth.h in the kernel image */
#define TRUTH(name)	truth_v_##name
#define TRUTH_DIR	"ftrace-truth-image"

#include "ftrace-truth-all.h"
