/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The compiler calls one of these before each access to memory that the sources
 * make: they are compiled for that, see Makefile. Included by one file of a program,
 * which has a host_step().
 */
#ifndef HOST_ACCESS_H
#define HOST_ACCESS_H

#include "host.h"

#define ACCESS(name) void name(void *p); void name(void *p) { host_step(); }
ACCESS(__tsan_read1) ACCESS(__tsan_read2) ACCESS(__tsan_read4) ACCESS(__tsan_read8)
ACCESS(__tsan_write1) ACCESS(__tsan_write2) ACCESS(__tsan_write4) ACCESS(__tsan_write8)
ACCESS(__tsan_read16) ACCESS(__tsan_write16)
ACCESS(__tsan_unaligned_read4) ACCESS(__tsan_unaligned_write4)
ACCESS(__tsan_unaligned_read8) ACCESS(__tsan_unaligned_write8)
#define NO_ACCESS(name) void name(void *p); void name(void *p) { }
NO_ACCESS(__tsan_func_entry) NO_ACCESS(__tsan_func_exit) NO_ACCESS(__tsan_init)
void __tsan_read_range(void *p, size_t n);
void __tsan_read_range(void *p, size_t n) { host_step(); }
void __tsan_write_range(void *p, size_t n);
void __tsan_write_range(void *p, size_t n) { host_step(); }

#endif /* HOST_ACCESS_H */
