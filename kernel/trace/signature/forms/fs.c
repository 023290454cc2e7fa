// SPDX-License-Identifier: GPL-2.0
/* Filesystems and what is passed to them. */
#include <linux/binfmts.h>
#include <linux/blk_types.h>
#include <linux/cdev.h>
#include <linux/fs.h>
#include <linux/kernfs.h>
#include <linux/openat2.h>
#include <linux/seq_file.h>
#include <linux/stat.h>
#include <linux/sysctl.h>
#include <linux/writeback.h>

#include "form.h"

FORM_OF_STRUCT(super_block,
	STRING_OF("type", struct super_block, s_type, struct file_system_type, name),
	CHARS("id", struct super_block, s_id));

FORM_OF_STRUCT(file_system_type, STRING("", struct file_system_type, name));

FORM_OF_STRUCT(kiocb,
	FILE("file", struct kiocb, ki_filp),
	MEMBER("pos", struct kiocb, ki_pos, form_signed),
	MEMBER("flags", struct kiocb, ki_flags, form_hex));

FORM_OF_STRUCT(seq_file,
	FILE("file", struct seq_file, file),
	MEMBER("index", struct seq_file, index, form_signed),
	MEMBER("count", struct seq_file, count, form_unsigned),
	MEMBER("size", struct seq_file, size, form_unsigned));

FORM_OF_STRUCT(linux_binprm,
	STRING("filename", struct linux_binprm, filename),
	STRING("interp", struct linux_binprm, interp),
	MEMBER("argc", struct linux_binprm, argc, form_signed),
	MEMBER("envc", struct linux_binprm, envc, form_signed));

FORM_OF_STRUCT(address_space,
	MEMBER_OF("ino", struct address_space, host, struct inode, i_ino, form_unsigned),
	MEMBER("nrpages", struct address_space, nrpages, form_unsigned));

FORM_OF_STRUCT(iattr,
	MEMBER("valid", struct iattr, ia_valid, form_hex),
	MEMBER("mode", struct iattr, ia_mode, form_mode),
	MEMBER("uid", struct iattr, ia_uid, form_unsigned),
	MEMBER("gid", struct iattr, ia_gid, form_unsigned),
	MEMBER("size", struct iattr, ia_size, form_signed));

FORM_OF_STRUCT(kstat,
	MEMBER("", struct kstat, mode, form_mode),
	MEMBER("ino", struct kstat, ino, form_unsigned),
	MEMBER("dev", struct kstat, dev, form_dev),
	MEMBER("nlink", struct kstat, nlink, form_unsigned),
	MEMBER("size", struct kstat, size, form_signed));

FORM_OF_STRUCT(dir_context,
	MEMBER("actor", struct dir_context, actor, form_function),
	MEMBER("pos", struct dir_context, pos, form_signed));

FORM_OF_STRUCT(writeback_control,
	MEMBER("nr_to_write", struct writeback_control, nr_to_write, form_signed),
	MEMBER("range_start", struct writeback_control, range_start, form_signed),
	MEMBER("range_end", struct writeback_control, range_end, form_signed),
	MEMBER("sync_mode", struct writeback_control, sync_mode, form_unsigned));

FORM_OF_STRUCT(cdev,
	MEMBER("dev", struct cdev, dev, form_dev),
	MEMBER("count", struct cdev, count, form_unsigned));

FORM_OF_STRUCT(kernfs_node, STRING("", struct kernfs_node, name));

FORM_OF_STRUCT(ctl_table, STRING("", struct ctl_table, procname));
