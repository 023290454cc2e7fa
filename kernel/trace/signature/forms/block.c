// SPDX-License-Identifier: GPL-2.0
/* Block devices and requests. */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/bio.h>
#include <linux/buffer_head.h>

#include "form.h"

FORM_OF_STRUCT(block_device, STRING("", struct block_device, bd_device.kobj.name));

FORM_OF_STRUCT(gendisk, CHARS("", struct gendisk, disk_name));

FORM_OF_STRUCT(bio,
	STRING_OF("bdev", struct bio, bi_bdev, struct block_device, bd_device.kobj.name),
	MEMBER("opf", struct bio, bi_opf, form_hex),
	MEMBER("sector", struct bio, bi_iter.bi_sector, form_unsigned),
	MEMBER("size", struct bio, bi_iter.bi_size, form_unsigned));

FORM_OF_STRUCT(request,
	STRING_OF("part", struct request, part, struct block_device, bd_device.kobj.name),
	MEMBER("cmd_flags", struct request, cmd_flags, form_hex),
	MEMBER("sector", struct request, __sector, form_unsigned),
	MEMBER("data_len", struct request, __data_len, form_unsigned),
	MEMBER("tag", struct request, tag, form_signed));

FORM_OF_STRUCT(request_queue,
	CHARS_OF("disk", struct request_queue, disk, struct gendisk, disk_name));

FORM_OF_STRUCT(buffer_head,
	MEMBER("block", struct buffer_head, b_blocknr, form_unsigned),
	MEMBER("size", struct buffer_head, b_size, form_unsigned),
	MEMBER("state", struct buffer_head, b_state, form_hex));
