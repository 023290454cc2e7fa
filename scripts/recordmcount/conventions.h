/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which calling convention a function has.
 */
#ifndef CONVENTIONS_H
#define CONVENTIONS_H

#include "sig_function.h"

uint32_t conventions_possible(const struct arch *arch, struct sig_function *f);
bool conventions_assign(const struct arch *arch, struct sig_function *f);

#endif /* CONVENTIONS_H */
