// SPDX-License-Identifier: GPL-2.0
/* Tasks and what belongs to them. */
#include <linux/cred.h>
#include <linux/nsproxy.h>
#include <linux/pid.h>
#include <linux/ptrace.h>
#include <linux/resource.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/signal.h>
#include <linux/uidgid.h>

#include "form.h"

FORM_OF_STRUCT(task_struct,
	CHARS("comm", struct task_struct, comm),
	MEMBER("pid", struct task_struct, pid, form_signed));

FORM_OF_STRUCT(pid,
	MEMBER("nr", struct pid, numbers[0].nr, form_signed),
	MEMBER("level", struct pid, level, form_unsigned));

FORM_OF_STRUCT(cred,
	MEMBER("uid", struct cred, uid, form_unsigned),
	MEMBER("gid", struct cred, gid, form_unsigned),
	MEMBER("euid", struct cred, euid, form_unsigned),
	MEMBER("egid", struct cred, egid, form_unsigned),
	MEMBER("cap_effective", struct cred, cap_effective, form_hex));

FORM_OF_STRUCT(kernel_siginfo,
	MEMBER("si_signo", struct kernel_siginfo, si_signo, form_signed),
	MEMBER("si_errno", struct kernel_siginfo, si_errno, form_signed),
	MEMBER("si_code", struct kernel_siginfo, si_code, form_signed));

FORM_OF_STRUCT(ksignal,
	MEMBER("sig", struct ksignal, sig, form_signed),
	MEMBER("si_code", struct ksignal, info.si_code, form_signed),
	MEMBER("handler", struct ksignal, ka.sa.sa_handler, form_pointer));

FORM_OF_STRUCT(k_sigaction,
	MEMBER("sa_handler", struct k_sigaction, sa.sa_handler, form_pointer),
	MEMBER("sa_flags", struct k_sigaction, sa.sa_flags, form_hex));

FORM_OF_STRUCT(kernel_clone_args,
	MEMBER("flags", struct kernel_clone_args, flags, form_hex),
	MEMBER("exit_signal", struct kernel_clone_args, exit_signal, form_signed),
	STRING("name", struct kernel_clone_args, name),
	MEMBER("fn", struct kernel_clone_args, fn, form_function));

FORM_OF_STRUCT(rlimit,
	MEMBER("rlim_cur", struct rlimit, rlim_cur, form_unsigned),
	MEMBER("rlim_max", struct rlimit, rlim_max, form_unsigned));

FORM_OF_STRUCT(sched_param,
	MEMBER("sched_priority", struct sched_param, sched_priority, form_signed));

FORM_OF_STRUCT(pt_regs,
	MEMBER("ip", struct pt_regs, ip, form_function),
	MEMBER("sp", struct pt_regs, sp, form_pointer),
	MEMBER("ax", struct pt_regs, ax, form_hex),
	MEMBER("orig_ax", struct pt_regs, orig_ax, form_signed));
