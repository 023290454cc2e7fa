/* SPDX-License-Identifier: GPL-2.0 */
/* Whether a ring buffer that outlived the kernel has what an earlier one wrote. */
#ifndef _TRACE_RING_BUFFER_LAST_BOOT_H
#define _TRACE_RING_BUFFER_LAST_BOOT_H

#include <linux/types.h>

struct trace_buffer;

/* What the text of an event begins with that stands for damaged sub-buffers */
#define RING_BUFFER_LOST	"LOST EVENTS: "

bool ring_buffer_has_last_boot(struct trace_buffer *buffer);
bool ring_buffer_has_other_build(struct trace_buffer *buffer);

#endif /* _TRACE_RING_BUFFER_LAST_BOOT_H */
