/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a few instructions of x86-64 do.
 */
#ifndef INSN_X86_64_H
#define INSN_X86_64_H

#include "recordmcount.h"

bool x86_64_is_direct_call(const unsigned char *code);
int x86_64_reads_result(const unsigned char *code, size_t size);
bool x86_64_may_jump(const unsigned char *code, size_t size, uint64_t first,
		     uint64_t last);

#endif /* INSN_X86_64_H */
