/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a few instructions of x86 do, 64 and 32 bits.
 */
#ifndef INSN_X86_H
#define INSN_X86_H

#include "util.h"

bool x86_is_direct_call(const unsigned char *code);
bool x86_is_direct_jump(const unsigned char *code);
unsigned int x86_count_branches(const unsigned char *code, size_t size,
				uint64_t target);
bool x86_may_loop(const unsigned char *code, size_t size);
int x86_64_reads_result(const unsigned char *code, size_t size);
int i386_reads_result(const unsigned char *code, size_t size);
unsigned int x86_64_reads_arguments(const unsigned char *code, size_t size,
				    unsigned int *changed,
				    unsigned int *written);
unsigned int i386_reads_arguments(const unsigned char *code, size_t size,
				  unsigned int *changed, unsigned int *written);
bool x86_64_is_idle(const unsigned char *code, size_t size);
bool i386_is_idle(const unsigned char *code, size_t size);
unsigned int x86_64_hands_over(const unsigned char *code, size_t size,
			       unsigned int *field, bool *is_call);
unsigned int i386_hands_over(const unsigned char *code, size_t size,
			     unsigned int *field, bool *is_call);
bool x86_may_jump(const unsigned char *code, size_t size, uint64_t first,
		  uint64_t last);

#endif /* INSN_X86_H */
