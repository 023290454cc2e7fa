/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parameters of syscalls.
 */
#ifndef SYSCALL_H
#define SYSCALL_H

#include "sig_function.h"

void syscall_find(struct signatures *s, struct sig_function *f);

#endif /* SYSCALL_H */
