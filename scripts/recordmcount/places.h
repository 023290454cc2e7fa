/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the parameters of a function are when it is entered.
 */
#ifndef PLACES_H
#define PLACES_H

#include "sig_function.h"

bool places_find(struct signatures *s, struct sig_function *f);

#endif /* PLACES_H */
