/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _KERNEL_TRACE_BRANCH_INTERFACE_FILES_H
#define _KERNEL_TRACE_BRANCH_INTERFACE_FILES_H

struct dentry;
struct trace_array;

#ifdef CONFIG_BRANCH_CONTEXTS
void branch_create_files(struct trace_array *tr, struct dentry *dir);
void branch_instance_free(struct trace_array *tr);
#else
static inline void branch_create_files(struct trace_array *tr, struct dentry *dir) { }
static inline void branch_instance_free(struct trace_array *tr) { }
#endif

#endif /* _KERNEL_TRACE_BRANCH_INTERFACE_FILES_H */
