/* SPDX-License-Identifier: GPL-2.0 */
/* The build tool's side of table.c, in a world without the kernel's headers. */
#ifndef TABLE_HOST_H
#define TABLE_HOST_H

#include <stddef.h>

const char *host_check(const void *data, size_t size);
const char *host_check_apart(const void *data, size_t size);
void host_print(const void *data, size_t size);

#endif /* TABLE_HOST_H */
