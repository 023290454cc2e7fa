// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of keyctl() and quotactl(), whose operation decides what the arguments are.
 * The kernel that tests itself need not have them, so they make calls of their own.
 */
#include <kunit/test.h>
#include <linux/errno.h>
#include <uapi/linux/dqblk_xfs.h>
#include <uapi/linux/keyctl.h>
#include <uapi/linux/quota.h>

#include "trace_syscalls_forms.h"
#include "trace_syscalls_forms_test.h"

#define EACH_LAYOUT(compat)							\
	for (int compat = 0; compat <= IS_ENABLED(CONFIG_COMPAT); compat++)

/* The text of a call that nothing was read for */
static void expect_unread(struct world *w, const struct syscall_metadata *meta, int slot,
			  const unsigned long *args, bool compat, const char *expected)
{
	struct trace_syscall_call call = {
		.meta = meta, .args = args, .compat = compat, .slot = slot, .done = true,
		.of_call = true,
	};

	trace_seq_init(w->seq);
	trace_syscall_print_done(w->seq, &call);
	trace_seq_putc(w->seq, 0);
	KUNIT_EXPECT_STREQ(w->test, w->seq->buffer, expected);
}

static const u8 keyctl_kinds[] = {
	sizeof(int) | SYSCALL_ARG_SIGNED, sizeof(long), sizeof(long), sizeof(long), sizeof(long)
};

static struct syscall_metadata keyctl_meta = {
	.name = "sys_keyctl", .nb_args = 5,
	.types = (const char *[]) { "int", "unsigned long", "unsigned long", "unsigned long",
				    "unsigned long" },
	.args = (const char *[]) { "option", "arg2", "arg3", "arg4", "arg5" },
	.kinds = keyctl_kinds,
	.syscall_nr = __NR_keyctl,
};

static int keyctl_slot(bool compat)
{
#ifdef ARCH_TRACE_COMPAT_SYSCALLS
	if (compat)
		return COMPAT(keyctl);
#endif
	return __NR_keyctl;
}

static void expect_keyctl(struct world *w, bool compat, const unsigned long *args,
			  const char *expected)
{
	expect_unread(w, &keyctl_meta, keyctl_slot(compat), args, compat, expected);
}

static void keys_numbers(struct kunit *test)
{
	struct world *w = new_world(test);
	/* A 32-bit program passes no more than that */
	unsigned long none = U32_MAX;

	need_names(test);
	EACH_LAYOUT(compat) {
		expect_keyctl(w, compat,
			      ARGS(KEYCTL_GET_KEYRING_ID, (u32)KEY_SPEC_SESSION_KEYRING, 1),
			      "keyctl(KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 1) = 0");
		expect_keyctl(w, compat, ARGS(KEYCTL_JOIN_SESSION_KEYRING, 0),
			      "keyctl(KEYCTL_JOIN_SESSION_KEYRING, NULL) = 0");
		expect_keyctl(w, compat, ARGS(KEYCTL_CHOWN, 634455137, 5, none),
			      "keyctl(KEYCTL_CHOWN, 634455137, 5, -1) = 0");
		expect_keyctl(w, compat, ARGS(KEYCTL_REVOKE, 77, 1, 2, 3),
			      "keyctl(KEYCTL_REVOKE, 77) = 0");
		expect_keyctl(w, compat, ARGS(KEYCTL_SETPERM, 77, 0x3f010001),
			      "keyctl(KEYCTL_SETPERM, 77, KEY_POS_VIEW|KEY_POS_READ|KEY_POS_WRITE|KEY_POS_SEARCH|KEY_POS_LINK|KEY_POS_SETATTR|KEY_USR_VIEW|KEY_OTH_VIEW) = 0");
		expect_keyctl(w, compat, ARGS(KEYCTL_SETPERM, 77, 0xc0000100),
			      "keyctl(KEYCTL_SETPERM, 77, KEY_GRP_VIEW|0xc0000000) = 0");
		expect_keyctl(w, compat, ARGS(KEYCTL_SETPERM, 77, 0),
			      "keyctl(KEYCTL_SETPERM, 77, 0) = 0");
		expect_keyctl(w, compat, ARGS(KEYCTL_SESSION_TO_PARENT, 1, 2, 3, 4),
			      "keyctl(KEYCTL_SESSION_TO_PARENT) = 0");
		expect_keyctl(w, compat, ARGS(KEYCTL_SET_REQKEY_KEYRING, none),
			      "keyctl(KEYCTL_SET_REQKEY_KEYRING, KEY_REQKEY_DEFL_NO_CHANGE) = 0");
		expect_keyctl(w, compat, ARGS(KEYCTL_SET_REQKEY_KEYRING, 17),
			      "keyctl(KEYCTL_SET_REQKEY_KEYRING, 17) = 0");
		expect_keyctl(w, compat, ARGS(KEYCTL_REJECT, 77, 30, ENOKEY, 0),
			      "keyctl(KEYCTL_REJECT, 77, 30, ENOKEY, 0) = 0");
		expect_keyctl(w, compat, ARGS(KEYCTL_REJECT, 77, 30, 9999, 0),
			      "keyctl(KEYCTL_REJECT, 77, 30, 9999, 0) = 0");
		expect_keyctl(w, compat, ARGS(KEYCTL_MOVE, 77, (u32)-3, (u32)-4, KEYCTL_MOVE_EXCL),
			      "keyctl(KEYCTL_MOVE, 77, KEY_SPEC_SESSION_KEYRING, KEY_SPEC_USER_KEYRING, KEYCTL_MOVE_EXCL) = 0");
		expect_keyctl(w, compat, ARGS(KEYCTL_MOVE, 77, 1, 2, 6),
			      "keyctl(KEYCTL_MOVE, 77, 1, 2, 0x6) = 0");
		expect_keyctl(w, compat, ARGS(KEYCTL_MOVE, 77, 1, 2, 0),
			      "keyctl(KEYCTL_MOVE, 77, 1, 2, 0) = 0");
		expect_keyctl(w, compat, ARGS(KEYCTL_READ, 77, 0x1000, 5),
			      "keyctl(KEYCTL_READ, 77, 0x1000, 5) = 0");
		/* An operation that is none */
		expect_keyctl(w, compat, ARGS(55, 1, 2, 0, 4), "keyctl(55, 0x1, 0x2, 0, 0x4) = 0");
	}
}

static void expect_arg(struct world *w, bool compat, const unsigned long *args, u8 of,
		       const char *expected)
{
	expect_form(w, &trace_syscall_form_keyctl, args, of, 0, compat, expected);
}

static void keys_memory(struct kunit *test)
{
	struct world *w = new_world(test);
	static const char payload[] = "pay\0load";
	unsigned long text = PUT_TEXT(w, "user"), data = PUT(w, payload);
	struct keyctl_dh_params dh = { .private = 1, .prime = -2, .base = 3 };
	struct keyctl_pkey_params pkey = { .key_id = 77, .in_len = 3, .out_len = 5,
					   .__spare = { 1 } };
	unsigned long iov[] = { text, 2, data, 3 }, keys = PUT(w, dh), lengths = PUT(w, pkey);
	u32 iov32[] = { text, 2, data, 3 };
	unsigned long vec = PUT(w, iov), vec32 = PUT(w, iov32);
	char many[64];
	unsigned long type;

	need_names(test);
	memset(many, 'x', sizeof(many));
	type = PUT(w, many);
	w->wants.most = 64;
	EACH_LAYOUT(compat) {
		expect_arg(w, compat, ARGS(KEYCTL_JOIN_SESSION_KEYRING, text), 1, "\"user\"");
		expect_arg(w, compat, ARGS(KEYCTL_UPDATE, 77, data, 5), 2, "\"pay\\0l\"");
		expect_arg(w, compat, ARGS(KEYCTL_UPDATE, 77, data, 1 << 20), 2, "?");
		/* No more than the kernel reads of a type */
		expect_arg(w, compat, ARGS(KEYCTL_SEARCH, 77, type, text, 0), 2,
			   "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"...");
		expect_arg(w, compat, ARGS(KEYCTL_DH_COMPUTE, keys), 1,
			   "{private=1, prime=-2, base=3}");
		expect_arg(w, compat, ARGS(KEYCTL_PKEY_ENCRYPT, lengths, text, data, text), 1,
			   "{key_id=77, in_len=3, out_len=5, __spare=[0x1, 0, 0, 0, 0, 0, 0]}");
		expect_arg(w, compat, ARGS(KEYCTL_PKEY_VERIFY, lengths, text, data, text), 1,
			   "{key_id=77, in_len=3, in2_len=5, __spare=[0x1, 0, 0, 0, 0, 0, 0]}");
		expect_arg(w, compat, ARGS(KEYCTL_PKEY_VERIFY, lengths, text, data, text), 3,
			   "\"pay\"");
		expect_arg(w, compat, ARGS(KEYCTL_PKEY_VERIFY, lengths, text, data, text), 4,
			   "\"user\\0\"");
		expect_arg(w, compat, ARGS(KEYCTL_PKEY_SIGN, w->end, text, data, text), 3, "?");
		expect_arg(w, compat, ARGS(KEYCTL_INSTANTIATE_IOV, 77, compat ? vec32 : vec, 2), 2,
			   "[{iov_base=\"us\", iov_len=2}, {iov_base=\"pay\", iov_len=3}]");
		expect_arg(w, compat, ARGS(KEYCTL_REVOKE, 77, text), 2, "?");
		expect_arg(w, compat, ARGS(55, text, text), 1, "?");
	}
}

/*
 * Results: as many bytes as there are, and as there is room for. Two operations give nothing
 * if there is no room for all.
 */
static void keys_given(struct kunit *test)
{
	struct world *w = new_world(test);
	unsigned long text = PUT_TEXT(w, "user;0;desc");
	u8 bytes[] = { KEYCTL_CAPS0_CAPABILITIES | KEYCTL_CAPS0_MOVE, KEYCTL_CAPS1_NS_KEY_TAG, 5 };
	unsigned long caps = PUT(w, bytes);
	struct {
		unsigned long	args[SYSCALL_DEFINE_MAXARGS];
		long		ret;
		u8		of;
		const char	*expected;
	} calls[] = {
		{ { KEYCTL_DESCRIBE, 77, text, 12 }, 12, 2, "\"user;0;desc\"" },
		{ { KEYCTL_DESCRIBE, 77, text, 11 }, 12, 2, "?" },
		{ { KEYCTL_READ, 77, text, 100 }, 12, 2, "\"user;0;desc\\0\"" },
		{ { KEYCTL_READ, 77, text, 4 }, 12, 2, "?" },
		{ { KEYCTL_GET_SECURITY, 77, text, 4 }, 12, 2, "\"user\"" },
		{ { KEYCTL_CAPABILITIES, caps, 100 }, 3, 1,
		  "[KEYCTL_CAPS0_CAPABILITIES|KEYCTL_CAPS0_MOVE, KEYCTL_CAPS1_NS_KEY_TAG, 0x5]" },
		{ { KEYCTL_CAPABILITIES, caps, 1 }, 3, 1,
		  "[KEYCTL_CAPS0_CAPABILITIES|KEYCTL_CAPS0_MOVE]" },
		{ { KEYCTL_CAPABILITIES, caps, 0 }, 3, 1, "[]" },
	};
	unsigned int i;

	need_names(test);
	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		w->ret = calls[i].ret;
		EACH_LAYOUT(compat)
			expect_arg(w, compat, calls[i].args, calls[i].of | TRACE_SYSCALL_OUT,
				   calls[i].expected);
	}
}

static const u8 quota_arg_kinds[] = {
	sizeof(int), SYSCALL_ARG_POINTER | sizeof(long), sizeof(int),
	SYSCALL_ARG_POINTER | sizeof(long)
};

static struct syscall_metadata quota_meta = {
	.name = "sys_quotactl", .nb_args = 4,
	.types = (const char *[]) { "unsigned int", "const char *", "qid_t", "void *" },
	.args = (const char *[]) { "cmd", "special", "id", "addr" },
	.kinds = quota_arg_kinds, .syscall_nr = __NR_quotactl,
};

static const u8 quota_fd_arg_kinds[] = {
	sizeof(int), sizeof(int), sizeof(int), SYSCALL_ARG_POINTER | sizeof(long)
};

static struct syscall_metadata quota_fd_meta = {
	.name = "sys_quotactl_fd", .nb_args = 4,
	.types = (const char *[]) { "unsigned int", "unsigned int", "qid_t", "void *" },
	.args = (const char *[]) { "fd", "cmd", "id", "addr" },
	.kinds = quota_fd_arg_kinds, .syscall_nr = __NR_quotactl_fd,
};

static void quotas_commands(struct kunit *test)
{
	struct world *w = new_world(test);
	int nr = __NR_quotactl, fd = __NR_quotactl_fd;

	need_names(test);
	expect_unread(w, &quota_meta, nr, ARGS(QCMD(Q_SYNC, GRPQUOTA), 0, 5, 6), false,
		      "quotactl(QCMD(Q_SYNC, GRPQUOTA), NULL) = 0");
	expect_unread(w, &quota_meta, nr, ARGS(QCMD(Q_QUOTAON, PRJQUOTA), 0x10, 2, 0x20), false,
		      "quotactl(QCMD(Q_QUOTAON, PRJQUOTA), 0x10, QFMT_VFS_V0, 0x20) = 0");
	expect_unread(w, &quota_meta, nr, ARGS(QCMD(Q_QUOTAON, 7), 0x10, 99, 0x20), false,
		      "quotactl(QCMD(Q_QUOTAON, 7), 0x10, 99, 0x20) = 0");
	expect_unread(w, &quota_meta, nr, ARGS(QCMD(Q_GETINFO, USRQUOTA), 0x10, 5, 0x20), false,
		      "quotactl(QCMD(Q_GETINFO, USRQUOTA), 0x10, 0x20) = 0");
	expect_unread(w, &quota_meta, nr, ARGS(QCMD(Q_GETQUOTA, USRQUOTA), 0x10, U32_MAX, 0), false,
		      "quotactl(QCMD(Q_GETQUOTA, USRQUOTA), 0x10, -1, NULL) = 0");
	expect_unread(w, &quota_meta, nr, ARGS(QCMD(0x777, USRQUOTA), 0x10, 1000, 0x20), false,
		      "quotactl(QCMD(1911, USRQUOTA), 0x10, 1000, 0x20) = 0");
	expect_unread(w, &quota_fd_meta, fd, ARGS(3, QCMD(Q_XQUOTASYNC, USRQUOTA), 1, 2), false,
		      "quotactl_fd(3, QCMD(Q_XQUOTASYNC, USRQUOTA)) = 0");
	expect_unread(w, &quota_fd_meta, fd, ARGS(3, QCMD(Q_SETQUOTA, USRQUOTA), 1, 2), false,
		      "quotactl_fd(3, QCMD(Q_SETQUOTA, USRQUOTA), 1, 0x2) = 0");
}

static void expect_quota(struct world *w, bool compat, u32 cmd, unsigned long address, bool out,
			 const char *expected)
{
	cmd = QCMD(cmd, USRQUOTA);
	expect_form(w, &trace_syscall_form_quota, ARGS(cmd, 0, 0, address),
		    3 | (out ? TRACE_SYSCALL_OUT : 0), cmd, compat, expected);
}

static void quotas_memory(struct kunit *test)
{
	struct world *w = new_world(test);
	struct if_dqblk limits = { .dqb_bhardlimit = 1, .dqb_bsoftlimit = 2, .dqb_curspace = 3,
				   .dqb_ihardlimit = 4, .dqb_isoftlimit = 5, .dqb_curinodes = 6 };
	struct if_dqinfo info = { 1, 2, DQF_SYS_FILE, IIF_IGRACE };
	struct fs_disk_quota disk = {
		.d_version = 1, .d_flags = FS_USER_QUOTA, .d_fieldmask = FS_DQ_BHARD, .d_id = 2,
		.d_blk_hardlimit = 3, .d_blk_softlimit = 4, .d_ino_hardlimit = 5,
		.d_ino_softlimit = 6, .d_bcount = 7, .d_icount = 8,
	};
	u32 five = 5;
	unsigned long number = PUT(w, five), name = PUT_TEXT(w, "/aquota"), l = PUT(w, limits);
	unsigned long i = PUT(w, info), d = PUT(w, disk);

	need_names(test);
	EACH_LAYOUT(compat) {
		expect_quota(w, compat, Q_QUOTAON, name, false, "\"/aquota\"");
		expect_quota(w, compat, Q_SETINFO, i, false,
			     "{dqi_bgrace=1, dqi_igrace=2, dqi_flags=DQF_SYS_FILE, dqi_valid=IIF_IGRACE}");
		expect_quota(w, compat, Q_SETQUOTA, l, false,
			     "{dqb_bhardlimit=1, dqb_bsoftlimit=2, dqb_curspace=3, dqb_ihardlimit=4, dqb_isoftlimit=5, dqb_curinodes=6, ...}");
		expect_quota(w, compat, Q_XSETQLIM, d, false,
			     "{d_version=1, d_flags=FS_USER_QUOTA, d_fieldmask=FS_DQ_BHARD, d_id=2, d_blk_hardlimit=3, d_blk_softlimit=4, d_ino_hardlimit=5, d_ino_softlimit=6, d_bcount=7, d_icount=8, ...}");
		expect_quota(w, compat, Q_XQUOTAON, number, false,
			     "[FS_QUOTA_UDQ_ACCT|FS_QUOTA_GDQ_ACCT]");
		expect_quota(w, compat, Q_XQUOTARM, number, false,
			     "[FS_USER_QUOTA|FS_GROUP_QUOTA]");
		/* What is given is not read before */
		expect_quota(w, compat, Q_GETINFO, i, false, "?");
		expect_quota(w, compat, Q_GETINFO, i, true,
			     "{dqi_bgrace=1, dqi_igrace=2, dqi_flags=DQF_SYS_FILE, dqi_valid=IIF_IGRACE}");
		expect_quota(w, compat, Q_SETINFO, i, true, "?");
		expect_quota(w, compat, Q_GETFMT, number, true, "[QFMT_SHMEM]");
		expect_quota(w, compat, Q_XGETQSTAT, d, true, "?");
		expect_quota(w, compat, Q_SYNC, d, false, "?");
		expect_quota(w, compat, Q_SETQUOTA, w->end - 8, false, "?");
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(quotas_commands),
	KUNIT_CASE(quotas_memory),
	KUNIT_CASE(keys_numbers),
	KUNIT_CASE(keys_memory),
	KUNIT_CASE(keys_given),
	{}
};

static struct kunit_suite suite = {
	.name		= "trace_syscalls_keys",
	.test_cases	= cases,
};

kunit_test_suite(suite);

MODULE_DESCRIPTION("KUnit tests of syscalls whose first argument decides about the others");
