/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a few instructions of x86 do, 64 and 32 bits.
 */
#ifndef INSN_X86_H
#define INSN_X86_H

#include "recordmcount.h"

bool x86_is_direct_call(const unsigned char *code);
int x86_64_reads_result(const unsigned char *code, size_t size);
int i386_reads_result(const unsigned char *code, size_t size);
unsigned int i386_reads_arguments(const unsigned char *code, size_t size,
				  unsigned int *changed);
bool i386_is_idle(const unsigned char *code, size_t size);
unsigned int i386_hands_over(const unsigned char *code, size_t size,
			     unsigned int *field, bool *is_call);
bool x86_may_jump(const unsigned char *code, size_t size, uint64_t first,
		  uint64_t last);

#endif /* INSN_X86_H */
