/* SPDX-License-Identifier: GPL-2.0 */
/* How a fuzzed program says that something is wrong. */
#ifndef REPORT_H
#define REPORT_H

void report_open(void);
void __attribute__((__noreturn__, __format__(printf, 1, 2)))
wrong(const char *fmt, ...);

#endif /* REPORT_H */
