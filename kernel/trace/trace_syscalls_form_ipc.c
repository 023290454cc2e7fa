// SPDX-License-Identifier: GPL-2.0
/*
 * System V IPC: messages, operations on semaphores, and what msgctl(), semctl() and shmctl()
 * set and tell.
 */
#include <linux/compat.h>
#include <linux/init.h>
#include <linux/ipc.h>
#include <linux/msg.h>
#include <linux/sem.h>
#include <uapi/linux/shm.h>

#include "trace_syscalls_forms.h"

/* Messages: a type, which is a word, and as many bytes as the rule says */

static void read_msgbuf(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			unsigned long address, unsigned long count)
{
	unsigned int size = trace_syscall_long_size(r->words32);

	if (trace_syscall_read(r, address, size))
		trace_syscall_read_bytes(r, address + size, count);
}

static bool print_msgbuf(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	unsigned int size = trace_syscall_long_size(p->call->compat);
	const struct trace_syscall_piece *type = trace_syscall_next(p), *text;
	u64 bits;

	if (!type || type->head != size)
		return false;
	bits = trace_syscall_long_at(type->bytes, p->call->compat);
	trace_seq_printf(p->s, "{mtype=%lld, mtext=",
			 sign_extend64(bits, size * BITS_PER_BYTE - 1));
	text = trace_syscall_next(p);
	if (text && !(text->head & TRACE_SYSCALL_PIECE_UNKNOWN))
		trace_syscall_print_text(p->s, text);
	else
		trace_syscall_print_pointer(p->s, address + size);
	trace_seq_putc(p->s, '}');
	return true;
}

const struct trace_syscall_form trace_syscall_form_msgbuf = {
	.read	= read_msgbuf,
	.print	= print_msgbuf,
};

/* Operations on semaphores; no program has others */

static struct trace_syscall_member sembuf_members[] __ro_after_init = {
	MEMBER(struct sembuf, sem_num, trace_syscall_unsigned),
	MEMBER(struct sembuf, sem_op, trace_syscall_signed),
	NAMES(struct sembuf, sem_flg, "sem_flags"),
};

const struct trace_syscall_form trace_syscall_form_sembuf = {
	ARRAY_FORM,
	.native	= LAYOUT(struct sembuf, sembuf_members),
	COMPAT_LAYOUT(struct sembuf, sembuf_members)
};

/* By ipc() it has 32-bit members */
static const struct trace_syscall_form *form_of_timeout(bool inner)
{
	return inner ? &trace_syscall_form_timespec32 : &trace_syscall_form_timespec;
}

static void read_timeout(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
			 unsigned long address, unsigned long count)
{
	form = form_of_timeout(r->of & TRACE_SYSCALL_INNER);
	form->read(r, form, address, count);
}

static bool print_timeout(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
			  unsigned long address, unsigned long count)
{
	form = form_of_timeout(p->call->inner);
	return form->print(p, form, address, count);
}

const struct trace_syscall_form trace_syscall_form_sem_timeout = {
	.read	= read_timeout,
	.print	= print_timeout,
};

/*
 * What the commands of msgctl(), semctl() and shmctl() set and tell. A time has 64 bits
 * everywhere: 32-bit programs have them in two members, the low half first.
 */

#define SIGNED(_type, _member)		MEMBER(_type, _member, trace_syscall_signed)
#define UNSIGNED(_type, _member)	MEMBER(_type, _member, trace_syscall_unsigned)
#define TIME(_type, _member)							\
	{ .label = #_member, .print = trace_syscall_signed,			\
	  .offset = offsetof(_type, _member), .size = sizeof(u64) }

#define MEMBERS_SET_PERM(_type)							\
{										\
	UNSIGNED(_type, uid),							\
	UNSIGNED(_type, gid),							\
	MEMBER(_type, mode, trace_syscall_octal),				\
	{}									\
}

#define MEMBERS_PERM(_type)							\
{										\
	UNSIGNED(_type, uid),							\
	UNSIGNED(_type, gid),							\
	MEMBER(_type, mode, trace_syscall_octal),				\
	UNSIGNED(_type, key),							\
	UNSIGNED(_type, cuid),							\
	UNSIGNED(_type, cgid),							\
	{}									\
}

#define MEMBERS_SET_MSG(_type, _perm)						\
{										\
	INSIDE(_type, msg_perm, _perm),						\
	UNSIGNED(_type, msg_qbytes),						\
}

#define MEMBERS_MSG(_type, _perm)						\
{										\
	INSIDE(_type, msg_perm, _perm),						\
	TIME(_type, msg_stime),							\
	TIME(_type, msg_rtime),							\
	TIME(_type, msg_ctime),							\
	UNSIGNED(_type, msg_qnum),						\
	UNSIGNED(_type, msg_qbytes),						\
	SIGNED(_type, msg_lspid),						\
	SIGNED(_type, msg_lrpid),						\
}

#define MEMBERS_SET_SEM(_type, _perm)						\
{										\
	INSIDE(_type, sem_perm, _perm),						\
}

#define MEMBERS_SEM(_type, _perm)						\
{										\
	INSIDE(_type, sem_perm, _perm),						\
	TIME(_type, sem_otime),							\
	TIME(_type, sem_ctime),							\
	UNSIGNED(_type, sem_nsems),						\
}

#define MEMBERS_SET_SHM(_type, _perm)						\
{										\
	INSIDE(_type, shm_perm, _perm),						\
}

#define MEMBERS_SHM(_type, _perm)						\
{										\
	INSIDE(_type, shm_perm, _perm),						\
	UNSIGNED(_type, shm_segsz),						\
	SIGNED(_type, shm_cpid),						\
	SIGNED(_type, shm_lpid),						\
	UNSIGNED(_type, shm_nattch),						\
	TIME(_type, shm_atime),							\
	TIME(_type, shm_dtime),							\
	TIME(_type, shm_ctime),							\
}

#define MEMBERS_SHMINFO(_type)							\
{										\
	UNSIGNED(_type, shmmax),						\
	UNSIGNED(_type, shmmin),						\
	UNSIGNED(_type, shmmni),						\
	UNSIGNED(_type, shmseg),						\
	UNSIGNED(_type, shmall),						\
}

#define MEMBERS_SHM_INFO(_type)							\
{										\
	SIGNED(_type, used_ids),						\
	UNSIGNED(_type, shm_tot),						\
	UNSIGNED(_type, shm_rss),						\
	UNSIGNED(_type, shm_swp),						\
	UNSIGNED(_type, swap_attempts),						\
	UNSIGNED(_type, swap_successes),					\
}

static struct trace_syscall_member set_perm[] __ro_after_init =
	MEMBERS_SET_PERM(struct ipc64_perm);
static struct trace_syscall_member perm[] __ro_after_init = MEMBERS_PERM(struct ipc64_perm);
static struct trace_syscall_member set_msg[] __ro_after_init =
	MEMBERS_SET_MSG(struct msqid64_ds, set_perm);
static struct trace_syscall_member msg[] __ro_after_init = MEMBERS_MSG(struct msqid64_ds, perm);
static struct trace_syscall_member set_sem[] __ro_after_init =
	MEMBERS_SET_SEM(struct semid64_ds, set_perm);
static struct trace_syscall_member sem[] __ro_after_init = MEMBERS_SEM(struct semid64_ds, perm);
static struct trace_syscall_member set_shm[] __ro_after_init =
	MEMBERS_SET_SHM(struct shmid64_ds, set_perm);
static struct trace_syscall_member shm[] __ro_after_init = MEMBERS_SHM(struct shmid64_ds, perm);
static struct trace_syscall_member shminfo[] __ro_after_init = MEMBERS_SHMINFO(struct shminfo64);
static struct trace_syscall_member shm_info[] __ro_after_init = MEMBERS_SHM_INFO(struct shm_info);

static struct trace_syscall_member msginfo[] __ro_after_init = {
	SIGNED(struct msginfo, msgpool),
	SIGNED(struct msginfo, msgmap),
	SIGNED(struct msginfo, msgmax),
	SIGNED(struct msginfo, msgmnb),
	SIGNED(struct msginfo, msgmni),
	SIGNED(struct msginfo, msgssz),
	SIGNED(struct msginfo, msgtql),
	UNSIGNED(struct msginfo, msgseg),
};

static struct trace_syscall_member seminfo[] __ro_after_init = {
	SIGNED(struct seminfo, semmap),
	SIGNED(struct seminfo, semmni),
	SIGNED(struct seminfo, semmns),
	SIGNED(struct seminfo, semmnu),
	SIGNED(struct seminfo, semmsl),
	SIGNED(struct seminfo, semopm),
	SIGNED(struct seminfo, semume),
	SIGNED(struct seminfo, semusz),
	SIGNED(struct seminfo, semvmx),
	SIGNED(struct seminfo, semaem),
};

#ifdef CONFIG_COMPAT
/* ipc/shm.c has these two for itself */
struct shminfo_of_words32 {
	u32	shmmax;
	u32	shmmin;
	u32	shmmni;
	u32	shmseg;
	u32	shmall;
	u32	unused[4];
};

struct shm_info_of_words32 {
	s32	used_ids;
	u32	shm_tot;
	u32	shm_rss;
	u32	shm_swp;
	u32	swap_attempts;
	u32	swap_successes;
};

static struct trace_syscall_member compat_set_perm[] __ro_after_init =
	MEMBERS_SET_PERM(struct compat_ipc64_perm);
static struct trace_syscall_member compat_perm[] __ro_after_init =
	MEMBERS_PERM(struct compat_ipc64_perm);
static struct trace_syscall_member compat_set_msg[] __ro_after_init =
	MEMBERS_SET_MSG(struct compat_msqid64_ds, compat_set_perm);
static struct trace_syscall_member compat_msg[] __ro_after_init =
	MEMBERS_MSG(struct compat_msqid64_ds, compat_perm);
static struct trace_syscall_member compat_set_sem[] __ro_after_init =
	MEMBERS_SET_SEM(struct compat_semid64_ds, compat_set_perm);
static struct trace_syscall_member compat_sem[] __ro_after_init =
	MEMBERS_SEM(struct compat_semid64_ds, compat_perm);
static struct trace_syscall_member compat_set_shm[] __ro_after_init =
	MEMBERS_SET_SHM(struct compat_shmid64_ds, compat_set_perm);
static struct trace_syscall_member compat_shm[] __ro_after_init =
	MEMBERS_SHM(struct compat_shmid64_ds, compat_perm);
static struct trace_syscall_member compat_shminfo[] __ro_after_init =
	MEMBERS_SHMINFO(struct shminfo_of_words32);
static struct trace_syscall_member compat_shm_info[] __ro_after_init =
	MEMBERS_SHM_INFO(struct shm_info_of_words32);
#endif

static void read_ctl(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
		     unsigned long address, unsigned long count);
static bool print_ctl(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
		      unsigned long address, unsigned long count);

#define CTL_FORM	.read = read_ctl, .print = print_ctl

const struct trace_syscall_form trace_syscall_form_msgctl = { CTL_FORM };
const struct trace_syscall_form trace_syscall_form_semctl = { CTL_FORM };
const struct trace_syscall_form trace_syscall_form_shmctl = { CTL_FORM };

/* A command of one of them; @takes: it sets, else it tells */
struct command {
	const struct trace_syscall_form	*of;
	u16				cmd;
	bool				takes;
	struct trace_syscall_layout	native;
	struct trace_syscall_layout	compat;
};

#define COMMAND(_of, _cmd, _takes, _type, _members, _compat)			\
	{ .of = &trace_syscall_form_##_of, .cmd = _cmd, .takes = _takes,	\
	  .native = LAYOUT(_type, _members),					\
	  COMPAT_LAYOUT(_compat, compat_##_members) }
/* The same for all programs */
#define COMMAND_SAME(_of, _cmd, _type, _members)				\
	{ .of = &trace_syscall_form_##_of, .cmd = _cmd,				\
	  .native = LAYOUT(_type, _members), COMPAT_LAYOUT(_type, _members) }

#define COMMAND_MSG(_cmd)							\
	COMMAND(msgctl, _cmd, false, struct msqid64_ds, msg, struct compat_msqid64_ds)
#define COMMAND_SEM(_cmd)							\
	COMMAND(semctl, _cmd, false, struct semid64_ds, sem, struct compat_semid64_ds)
#define COMMAND_SHM(_cmd)							\
	COMMAND(shmctl, _cmd, false, struct shmid64_ds, shm, struct compat_shmid64_ds)

static const struct command commands[] = {
	COMMAND(msgctl, IPC_SET, true, struct msqid64_ds, set_msg, struct compat_msqid64_ds),
	COMMAND_MSG(IPC_STAT),
	COMMAND_MSG(MSG_STAT),
	COMMAND_MSG(MSG_STAT_ANY),
	COMMAND_SAME(msgctl, IPC_INFO, struct msginfo, msginfo),
	COMMAND_SAME(msgctl, MSG_INFO, struct msginfo, msginfo),
	COMMAND(semctl, IPC_SET, true, struct semid64_ds, set_sem, struct compat_semid64_ds),
	COMMAND_SEM(IPC_STAT),
	COMMAND_SEM(SEM_STAT),
	COMMAND_SEM(SEM_STAT_ANY),
	COMMAND_SAME(semctl, IPC_INFO, struct seminfo, seminfo),
	COMMAND_SAME(semctl, SEM_INFO, struct seminfo, seminfo),
	COMMAND(shmctl, IPC_SET, true, struct shmid64_ds, set_shm, struct compat_shmid64_ds),
	COMMAND_SHM(IPC_STAT),
	COMMAND_SHM(SHM_STAT),
	COMMAND_SHM(SHM_STAT_ANY),
	COMMAND(shmctl, IPC_INFO, false, struct shminfo64, shminfo, struct shminfo_of_words32),
	COMMAND(shmctl, SHM_INFO, false, struct shm_info, shm_info, struct shm_info_of_words32),
};

/*
 * The command of a call. By ipc(), which @inner is, IPC_64 is said with it, or the structures
 * are older ones, which are not known here. Nobody else may say it.
 */
static const struct command *find_command(const struct trace_syscall_form *form,
					  const unsigned long *args, bool inner)
{
	unsigned int cmd = args[form == &trace_syscall_form_semctl ? 2 : 1], i;

	if (inner != !!(cmd & IPC_64))
		return NULL;
	cmd &= ~IPC_64;
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (commands[i].of == form && commands[i].cmd == cmd)
			return &commands[i];
	return NULL;
}

static const struct trace_syscall_layout *layout_of(const struct command *command, bool compat)
{
	return compat ? &command->compat : &command->native;
}

static void read_ctl(struct trace_syscall_reader *r, const struct trace_syscall_form *form,
		     unsigned long address, unsigned long count)
{
	const struct command *command = find_command(form, r->args,
						    r->of & TRACE_SYSCALL_INNER);

	if (command && command->takes == !(r->of & TRACE_SYSCALL_OUT))
		trace_syscall_read(r, address, layout_of(command, r->words32)->size);
}

static bool print_ctl(struct trace_syscall_printer *p, const struct trace_syscall_form *form,
		      unsigned long address, unsigned long count)
{
	bool compat = p->call->compat;
	const struct command *command = find_command(form, p->call->args, p->call->inner);
	const struct trace_syscall_piece *piece = trace_syscall_next(p);

	if (!command || !piece || piece->head != layout_of(command, compat)->size)
		return false;
	trace_syscall_print_members(p->s, layout_of(command, compat), piece->bytes);
	return true;
}
