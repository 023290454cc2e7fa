/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checking the signatures of a linked image.
 */
#ifndef CHECK_H
#define CHECK_H

int check_image(const char *path, const char *table);

#endif /* CHECK_H */
