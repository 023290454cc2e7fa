/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing a changed ELF file.
 */
#ifndef ELF_WRITE_H
#define ELF_WRITE_H

#include "elf_object.h"

int object_write(struct object *obj);

#endif /* ELF_WRITE_H */
