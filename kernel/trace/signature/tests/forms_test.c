// SPDX-License-Identifier: GPL-2.0
/* Forms of live objects, of broken ones, and of what is no object. */
#include <linux/anon_inodes.h>
#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/fs.h>
#include <linux/in6.h>
#include <linux/kthread.h>
#include <linux/mount.h>
#include <linux/namei.h>
#include <linux/netdevice.h>
#include <linux/pipe_fs_i.h>
#include <linux/prandom.h>
#include <linux/sched.h>
#include <linux/shmem_fs.h>
#include <linux/skbuff.h>
#include <linux/uio.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "../../../../fs/mount.h"
#include "../forms.h"
#include "../signature.h"
#include "builder.h"
#include "form_example.h"
#include "form_text.h"

#define NOTE	0xa5

static void forms_are_found(struct kunit *test)
{
	const struct ftrace_form *form, *last = NULL;
	unsigned int id;

	for (id = 0; (form = ftrace_form_by_id(id)); id++) {
		KUNIT_EXPECT_PTR_EQ(test, ftrace_form_find(form->name, form->size), form);
		KUNIT_EXPECT_NULL(test, ftrace_form_find(form->name, form->size + 1));
		KUNIT_EXPECT_EQ(test, ftrace_form_id(form), id);
		if (last)
			KUNIT_EXPECT_LT(test, strcmp(last->name, form->name), 0);
		last = form;
	}
	KUNIT_EXPECT_GT(test, id, 50);
	KUNIT_EXPECT_NULL(test, ftrace_form_by_id(FTRACE_FORM_NONE));
	KUNIT_EXPECT_NULL(test, ftrace_form_by_id(-1));
	KUNIT_EXPECT_NULL(test, ftrace_form_find("", 8));
	KUNIT_EXPECT_NULL(test, ftrace_form_find("zzz", 8));
}

/* Directories and a file, in the filesystem that the kernel begins with */
#define DIR_1	"/forms-test"
#define DIR_2	DIR_1 "/a \"b\""
#define FILE_1	DIR_2 "/file\n"

static void make_directory(struct kunit *test, const char *name)
{
	struct path path;
	struct dentry *dentry = kern_path_create(AT_FDCWD, name, &path, LOOKUP_DIRECTORY);

	if (PTR_ERR_OR_ZERO(dentry) == -EEXIST)
		return;
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dentry);
	KUNIT_EXPECT_EQ(test, vfs_mkdir(mnt_idmap(path.mnt), d_inode(path.dentry), dentry, 0700),
			0);
	done_path_create(&path, dentry);
}

static void remove(struct kunit *test, const char *name, bool directory)
{
	struct path path;
	struct dentry *dentry = kern_path_locked(name, &path);
	struct inode *dir;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dentry);
	dir = d_inode(path.dentry);
	if (directory)
		KUNIT_EXPECT_EQ(test, vfs_rmdir(mnt_idmap(path.mnt), dir, dentry), 0);
	else
		KUNIT_EXPECT_EQ(test, vfs_unlink(mnt_idmap(path.mnt), dir, dentry, NULL), 0);
	inode_unlock(dir);
	dput(dentry);
	path_put(&path);
}

static struct file *make_file(struct kunit *test)
{
	struct file *file;

	make_directory(test, DIR_1);
	make_directory(test, DIR_2);
	file = filp_open(FILE_1, O_CREAT | O_RDWR, 0640);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, file);
	return file;
}

static void remove_directories(struct kunit *test)
{
	remove(test, DIR_2, true);
	remove(test, DIR_1, true);
}

static void forms_paths(struct kunit *test)
{
	const char *text = "\"/forms-test/a \\\"b\\\"/file\\n\"";
	struct file *file = make_file(test);
	struct inode *inode = file_inode(file);
	char *buffer = kunit_kzalloc(test, PATH_MAX, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buffer);
	KUNIT_EXPECT_STREQ(test, d_path(&file->f_path, buffer, PATH_MAX), FILE_1);
	EXPECT_TEXT(test, "file", file, "%s", text);
	EXPECT_TEXT(test, "path", &file->f_path, "%s", text);
	EXPECT_TEXT(test, "dentry", file->f_path.dentry, "...%s", text);
	EXPECT_TEXT(test, "qstr", &file->f_path.dentry->d_name, "\"file\\n\"");
	EXPECT_TEXT(test, "inode", inode, "{S_IFREG|0640, ino=%lu, dev=%u:%u, ...%s}",
		    inode->i_ino, MAJOR(inode->i_sb->s_dev), MINOR(inode->i_sb->s_dev), text);
	EXPECT_TEXT(test, "vfsmount", file->f_path.mnt, "\"/\"");
	EXPECT_TEXT(test, "dentry", file->f_path.mnt->mnt_root, "...\"/\"");

	remove(test, FILE_1, false);
	KUNIT_EXPECT_STREQ(test, d_path(&file->f_path, buffer, PATH_MAX),
			   FILE_1 " (deleted)");
	EXPECT_TEXT(test, "file", file, "%s (deleted)", text);
	fput(file);
	remove_directories(test);
}

/* What is shown of a file while a sequence count is that of a writer */
static void expect_during(struct kunit *test, seqcount_t *count, struct file *file,
			  const char *text)
{
	const struct ftrace_form *form = form_of(test, "file", sizeof(*file));
	u8 *data = kunit_kzalloc(test, FTRACE_FORM_ROOM, GFP_KERNEL);
	struct trace_seq *s = builder_seq(test);
	unsigned int size;

	KUNIT_ASSERT_NOT_NULL(test, data);
	preempt_disable();
	raw_write_seqcount_begin(count);
	size = form_capture(form, file, data, FTRACE_FORM_ROOM);
	raw_write_seqcount_end(count);
	preempt_enable();
	form->print(s, data, size, 0);
	KUNIT_EXPECT_STREQ(test, builder_text(s), text);
}

/* While names or mounts change, no more is shown than what is sure. */
static void forms_paths_in_change(struct kunit *test)
{
	struct file *file = make_file(test);
	struct dentry *dentry = file->f_path.dentry;

	expect_during(test, &rename_lock.seqcount.seqcount, file, "...\"/file\\n\"");
	expect_during(test, &mount_lock.seqcount.seqcount, file,
		      "...\"/forms-test/a \\\"b\\\"/file\\n\"");
	expect_during(test, &dentry->d_seq.seqcount, file, "?");
	expect_during(test, &dentry->d_parent->d_seq.seqcount, file, "...\"/file\\n\"");

	EXPECT_TEXT(test, "file", file, "\"/forms-test/a \\\"b\\\"/file\\n\"");
	remove(test, FILE_1, false);
	fput(file);
	remove_directories(test);
}

/*
 * Another task exchanges two directories of different depth all the time.  Every now and
 * then it leaves them alone, in either order, so that a whole path can be seen, too.
 */
static int exchange(void *directories)
{
	struct dentry **d = directories;
	unsigned int n;

	for (n = 0; !kthread_should_stop() || n & 1; n++) {
		d_exchange(d[0], d[1]);
		if (n % 17)
			cond_resched();
		else
			usleep_range(50, 100);
	}
	return 0;
}

static struct dentry *dentry_of(struct kunit *test, const char *name)
{
	struct dentry *dentry;
	struct path path;

	KUNIT_ASSERT_EQ(test, kern_path(name, LOOKUP_DIRECTORY, &path), 0);
	dentry = dget(path.dentry);
	path_put(&path);
	return dentry;
}

/* Captures until paths of both kinds were seen often; all must be paths that existed. */
static void expect_true_paths(struct kunit *test, struct file *file)
{
	static const char *const texts[] = {
		"\"/forms-test/one/x\"", "\"/forms-test/two/deep/x\"", "...\"/x\"",
	};
	const struct ftrace_form *form = form_of(test, "file", sizeof(*file));
	u8 *data = kunit_kzalloc(test, FTRACE_FORM_ROOM, GFP_KERNEL);
	unsigned int i, round, seen[ARRAY_SIZE(texts)] = { 0 };
	struct trace_seq *s = builder_seq(test);

	KUNIT_ASSERT_NOT_NULL(test, data);
	for (round = 0; round < 50000; round++) {
		unsigned int size = form_capture(form, file, data, FTRACE_FORM_ROOM);

		trace_seq_init(s);
		form->print(s, data, size, 0);
		builder_text(s);
		for (i = 0; i < ARRAY_SIZE(texts); i++)
			if (!strcmp(s->buffer, texts[i]))
				break;
		KUNIT_EXPECT_LT_MSG(test, i, ARRAY_SIZE(texts), "%s", s->buffer);
		if (i == ARRAY_SIZE(texts))
			break;
		seen[i]++;
		if (!(round % 64))
			cond_resched();
	}
	kunit_info(test, "%u, %u and %u of three", seen[0], seen[1], seen[2]);
	KUNIT_EXPECT_GT(test, seen[0], 0);
	KUNIT_EXPECT_GT(test, seen[1], 0);
}

static void forms_paths_in_race(struct kunit *test)
{
	struct task_struct *task;
	struct dentry *d[2];
	struct file *file;

	make_directory(test, DIR_1);
	make_directory(test, DIR_1 "/one");
	make_directory(test, DIR_1 "/two");
	make_directory(test, DIR_1 "/two/deep");
	file = filp_open(DIR_1 "/one/x", O_CREAT | O_RDWR, 0600);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, file);
	d[0] = dentry_of(test, DIR_1 "/one");
	d[1] = dentry_of(test, DIR_1 "/two/deep");

	task = kthread_run(exchange, d, "forms-exchange");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
	expect_true_paths(test, file);
	kthread_stop(task);

	dput(d[0]);
	dput(d[1]);
	fput(file);
	remove(test, DIR_1 "/one/x", false);
	remove(test, DIR_1 "/one", true);
	remove(test, DIR_1 "/two/deep", true);
	remove(test, DIR_1 "/two", true);
	remove(test, DIR_1, true);
}

static const struct file_operations no_operations;

/* As d_path() names it: "pipe:[5]" */
static void expect_named(struct kunit *test, struct file *file)
{
	char *buffer = kunit_kzalloc(test, PATH_MAX, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, buffer);
	EXPECT_TEXT(test, "file", file, "\"%s\"", d_path(&file->f_path, buffer, PATH_MAX));
}

static void forms_files_without_path(struct kunit *test)
{
	struct file *pipe[2], *file;

	KUNIT_ASSERT_EQ(test, create_pipe_files(pipe, 0), 0);
	expect_named(test, pipe[0]);
	fput(pipe[0]);
	fput(pipe[1]);

	file = anon_inode_getfile("[forms]", &no_operations, NULL, O_RDWR);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, file);
	expect_named(test, file);
	EXPECT_TEXT(test, "file", file, "\"anon_inode:[forms]\"");
	fput(file);

	file = shmem_file_setup("forms", PAGE_SIZE, 0);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, file);
	EXPECT_TEXT(test, "file", file, "\"/forms\" (deleted)");
	fput(file);
}

/* What is no tree of dentries */
static void forms_broken_dentries(struct kunit *test)
{
	struct dentry *d = kunit_kcalloc(test, 2, sizeof(*d), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, d);
	for (i = 0; i < 2; i++) {
		strscpy(d[i].d_iname, i ? "b" : "a", sizeof(d[i].d_iname));
		d[i].d_name = (struct qstr)QSTR_INIT(d[i].d_iname, 1);
		d[i].d_parent = &d[!i];
	}
	/* A circle ends where the bound is: 16 names */
	EXPECT_TEXT(test, "dentry", d, "...\"/b/a/b/a/b/a/b/a/b/a/b/a/b/a/b/a\"");

	d->d_parent = NULL;
	EXPECT_TEXT(test, "dentry", d, "...\"/a\"");
	d->d_parent = (void *)-4096L;
	EXPECT_TEXT(test, "dentry", d, "...\"/a\"");
	d->d_parent = d + 1;
	d[1].d_sb = (void *)1;
	EXPECT_TEXT(test, "dentry", d, "...\"/a\"");

	d->d_name.len = 2;
	EXPECT_TEXT(test, "dentry", d, "?");
	d->d_name.len = 0;
	EXPECT_TEXT(test, "dentry", d, "?");
	d->d_name.len = U32_MAX;
	EXPECT_TEXT(test, "dentry", d, "?");
	d->d_name.len = 1;
	d->d_iname[0] = '/';
	EXPECT_TEXT(test, "dentry", d, "?");
	d->d_name.name = NULL;
	EXPECT_TEXT(test, "dentry", d, "?");
}

static void forms_files_without_dentry(struct kunit *test)
{
	struct file *file = kunit_kzalloc(test, sizeof(*file), GFP_KERNEL);
	struct kiocb *iocb = kunit_kzalloc(test, sizeof(*iocb), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, file);
	KUNIT_ASSERT_NOT_NULL(test, iocb);
	EXPECT_TEXT(test, "file", file, "{NULL}");
	EXPECT_TEXT(test, "kiocb", iocb, "{file=NULL, pos=0, flags=0x0}");
	file->f_path.dentry = (void *)-4096L;
	EXPECT_TEXT(test, "file", file, "?");
	iocb->ki_filp = (void *)-4096L;
	iocb->ki_pos = -1;
	EXPECT_TEXT(test, "kiocb", iocb, "{file=?, pos=-1, flags=0x0}");
}

static void forms_members(struct kunit *test)
{
	struct timespec64 ts = { 7, 9 };
	ktime_t time = -5;
	struct kref kref;
	struct device *device = kunit_kzalloc(test, sizeof(*device), GFP_KERNEL);

	EXPECT_TEXT(test, "task_struct", current, "{comm=\"%s\", pid=%d}", current->comm,
		    current->pid);
	EXPECT_TEXT(test, "timespec64", &ts, "{tv_sec=7, tv_nsec=9}");
	EXPECT_TEXT(test, "ktime_t", &time, "-5");
	kref_init(&kref);
	EXPECT_TEXT(test, "kref", &kref, "{refcount=1}");

	KUNIT_ASSERT_NOT_NULL(test, device);
	EXPECT_TEXT(test, "device", device, "{unnamed}");
	device->kobj.name = "eth\"0";
	EXPECT_TEXT(test, "device", device, "\"eth\\\"0\"");
	device->kobj.name = (char *)-4096L;
	EXPECT_TEXT(test, "device", device, "?");
}

/* The form that the documentation shows */
static void forms_example(struct kunit *test)
{
	const struct ftrace_form *form = &ftrace_form_form_example;
	struct form_example parent = { "above", 1 }, child = { "below", 32, &parent };

	KUNIT_EXPECT_STREQ(test, form_text(test, form, &child, 0),
			   "{name=\"below\", flags=0x20, parent=\"above\"}");
	KUNIT_EXPECT_STREQ(test, form_text(test, form, &parent, 0),
			   "{name=\"above\", flags=0x1, parent=NULL}");
	child.parent = (void *)-4096L;
	KUNIT_EXPECT_STREQ(test, form_text(test, form, &child, 0),
			   "{name=\"below\", flags=0x20, parent=?}");
}

/* 120 characters are whole, and of more, as many are shown. */
static void forms_long_names(struct kunit *test)
{
	struct device *device = kunit_kzalloc(test, sizeof(*device), GFP_KERNEL);
	char *name = kunit_kzalloc(test, 256, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, device);
	KUNIT_ASSERT_NOT_NULL(test, name);
	device->kobj.name = name;
	memset(name, 'n', 120);
	EXPECT_TEXT(test, "device", device, "\"%s\"", name);
	name[120] = 'n';
	EXPECT_TEXT(test, "device", device, "\"%.120s\"...", name);
}

static void work_function(struct work_struct *work)
{
}

static void forms_functions(struct kunit *test)
{
	struct work_struct work;
	const char *text;
	char address[20];

	INIT_WORK_ONSTACK(&work, work_function);
	EXPECT_TEXT(test, "work_struct", &work, "{func=work_function}");
	snprintf(address, sizeof(address), "%lx", (unsigned long)work_function);
	/* Where no symbols are known, and the reader may not see addresses */
	text = form_text(test, form_of(test, "work_struct", sizeof(work)), &work,
			 FTRACE_SIG_NO_SYMBOLS | FTRACE_SIG_HASH);
	KUNIT_EXPECT_NULL(test, strstr(text, "work_function"));
	KUNIT_EXPECT_NULL(test, strstr(text, address));
	destroy_work_on_stack(&work);
}

static void forms_locks_and_lists(struct kunit *test)
{
	struct { struct list_head list; } a, b;
	struct rw_semaphore rwsem;
	struct mutex mutex;
	spinlock_t lock, copy;

	mutex_init(&mutex);
	EXPECT_TEXT(test, "mutex", &mutex, "{unlocked}");
	mutex_lock(&mutex);
	EXPECT_TEXT(test, "mutex", &mutex, "{owner={comm=\"%s\", pid=%d}}", current->comm,
		    current->pid);
	mutex_unlock(&mutex);

	init_rwsem(&rwsem);
	EXPECT_TEXT(test, "rw_semaphore", &rwsem, "{unlocked}");
	down_read(&rwsem);
	EXPECT_TEXT(test, "rw_semaphore", &rwsem, "{readers=1}");
	up_read(&rwsem);
	down_write(&rwsem);
	EXPECT_TEXT(test, "rw_semaphore", &rwsem, "{owner={comm=\"%s\", pid=%d}}",
		    current->comm, current->pid);
	up_write(&rwsem);

	INIT_LIST_HEAD(&a.list);
	EXPECT_TEXT(test, "list_head", &a.list, "{empty}");
	list_add(&b.list, &a.list);
	EXPECT_TEXT(test, "list_head", &a.list, "{next=0x%lx, prev=0x%lx}", (long)&b.list,
		    (long)&b.list);
	a.list.next = NULL;
	EXPECT_TEXT(test, "list_head", &a.list, "{next=NULL, prev=0x%lx}", (long)&b.list);

	spin_lock_init(&lock);
	if (!IS_ENABLED(CONFIG_QUEUED_SPINLOCKS))
		return;
	EXPECT_TEXT(test, "spinlock", &lock, "{unlocked}");
	spin_lock(&lock);
	memcpy(&copy, &lock, sizeof(copy));
	spin_unlock(&lock);
	EXPECT_TEXT(test, "spinlock", &copy, "{locked}");
}

static void forms_net(struct kunit *test)
{
	struct sockaddr_in in = { .sin_family = AF_INET };
	struct socket *sock;
	struct sk_buff *skb;

	if (!IS_ENABLED(CONFIG_INET))
		kunit_skip(test, "no internet");
	EXPECT_TEXT(test, "net_device", init_net.loopback_dev, "\"lo\"");

	skb = alloc_skb(64, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_put(skb, 10);
	skb->protocol = htons(ETH_P_IP);
	EXPECT_TEXT(test, "sk_buff", skb, "{len=10, data_len=0, protocol=0x0800, mark=0x0}");
	kfree_skb(skb);

	KUNIT_ASSERT_EQ(test, sock_create_kern(&init_net, AF_INET, SOCK_DGRAM, 0, &sock), 0);
	KUNIT_ASSERT_EQ(test, kernel_bind(sock, (struct sockaddr *)&in, sizeof(in)), 0);
	EXPECT_TEXT(test, "socket", sock,
		    "{AF_INET, type=2, protocol=17, state=%u, local=0.0.0.0:%u, remote=0.0.0.0:0}",
		    sock->sk->sk_state, sock->sk->sk_num);
	sock_release(sock);
}

static void forms_io(struct kunit *test)
{
	struct kvec vec = { (void *)0x1000, 100 };
	struct iov_iter iter;

	iov_iter_kvec(&iter, ITER_SOURCE, &vec, 1, 100);
	iov_iter_advance(&iter, 30);
	EXPECT_TEXT(test, "kvec", &vec, "{base=0x1000, len=100}");
	EXPECT_TEXT(test, "iov_iter", &iter, "{ITER_KVEC, ITER_SOURCE, count=70, offset=30}");
	KUNIT_EXPECT_STREQ(test, form_text(test, form_of(test, "cpumask", sizeof(struct cpumask)),
					   cpu_none_mask, 0), "{}");
	EXPECT_TEXT(test, "cpumask", cpumask_of(0), "{0}");
}

/* With any room, nothing is written behind it, and what is printed is well formed. */
static void forms_little_room(struct kunit *test)
{
	struct file *file = make_file(test);
	const struct {
		const char *name;
		const void *object;
		u32 size;
	} objects[] = {
		{ "file", file, sizeof(*file) },
		{ "inode", file_inode(file), sizeof(struct inode) },
		{ "task_struct", current, sizeof(*current) },
		{ "super_block", file_inode(file)->i_sb, sizeof(struct super_block) },
	};
	u8 *data = kunit_kzalloc(test, FTRACE_FORM_ROOM + 8, GFP_KERNEL);
	struct trace_seq *s = builder_seq(test);
	unsigned int i, room, size;

	KUNIT_ASSERT_NOT_NULL(test, data);
	for (i = 0; i < ARRAY_SIZE(objects); i++) {
		const struct ftrace_form *form = form_of(test, objects[i].name, objects[i].size);

		for (room = 0; room <= FTRACE_FORM_ROOM; room++) {
			memset(data, NOTE, FTRACE_FORM_ROOM + 8);
			size = form_capture(form, objects[i].object, data, room);
			KUNIT_ASSERT_LE(test, size, room);
			KUNIT_EXPECT_EQ(test, data[room], NOTE);
			trace_seq_init(s);
			form->print(s, data, size, 0);
			KUNIT_EXPECT_FALSE(test, trace_seq_has_overflowed(s));
			KUNIT_EXPECT_GT(test, trace_seq_used(s), 0);
		}
	}
	remove(test, FILE_1, false);
	fput(file);
	remove_directories(test);
}

/* Addresses that are none, of each form */
static void forms_no_object(struct kunit *test)
{
	u8 *page = vmalloc(PAGE_SIZE), data[FTRACE_FORM_ROOM];
	const struct ftrace_form *form;
	unsigned int id;

	KUNIT_ASSERT_NOT_NULL(test, page);
	for (id = 0; (form = ftrace_form_by_id(id)); id++) {
		KUNIT_EXPECT_EQ_MSG(test, form_capture(form, NULL, data, sizeof(data)), 0, "%s",
				    form->name);
		KUNIT_EXPECT_EQ_MSG(test, form_capture(form, page + PAGE_SIZE, data, sizeof(data)),
				    0, "%s", form->name);
		KUNIT_EXPECT_EQ_MSG(test, form_capture(form, (void *)-1L, data, sizeof(data)), 0,
				    "%s", form->name);
	}
	vfree(page);
}

static void expect_line(struct kunit *test, struct trace_seq *s, const char *name)
{
	unsigned int i;

	KUNIT_EXPECT_FALSE_MSG(test, trace_seq_has_overflowed(s), "%s", name);
	for (i = 0; i < trace_seq_used(s); i++)
		KUNIT_ASSERT_TRUE_MSG(test, s->buffer[i] >= ' ' && s->buffer[i] <= '~',
				      "%s prints byte %u", name, s->buffer[i]);
}

/* Structures of random bytes, then random words that are kernel addresses */
static void forms_garbage(struct kunit *test)
{
	u8 *object = kunit_kzalloc(test, 64 * 1024, GFP_KERNEL), data[FTRACE_FORM_ROOM];
	struct trace_seq *s = builder_seq(test);
	const struct ftrace_form *form;
	unsigned int id, i, size, round;
	struct rnd_state random;

	KUNIT_ASSERT_NOT_NULL(test, object);
	prandom_seed_state(&random, 16);
	for (round = 0; round < 20; round++) {
		prandom_bytes_state(&random, object, 64 * 1024);
		for (i = 0; round & 1 && i < 64 * 1024 / sizeof(long); i++)
			((unsigned long *)object)[i] =
				(unsigned long)object + prandom_u32_state(&random) % 32768;
		for (id = 0; (form = ftrace_form_by_id(id)); id++) {
			size = form_capture(form, object + 8 * round, data, sizeof(data));
			KUNIT_ASSERT_LE(test, size, sizeof(data));
			trace_seq_init(s);
			form->print(s, data, size, 0);
			expect_line(test, s, form->name);
		}
	}
}

/* Events of random bytes and sizes */
static void forms_damaged_events(struct kunit *test)
{
	u8 *data = kunit_kzalloc(test, FTRACE_FORM_ROOM, GFP_KERNEL);
	struct trace_seq *s = builder_seq(test);
	const struct ftrace_form *form;
	unsigned int id, i, round;
	struct rnd_state random;

	KUNIT_ASSERT_NOT_NULL(test, data);
	prandom_seed_state(&random, 17);
	for (id = 0; (form = ftrace_form_by_id(id)); id++) {
		for (round = 0; round < 300; round++) {
			unsigned int size = round ? prandom_u32_state(&random) % 257 : 0;

			prandom_bytes_state(&random, data, FTRACE_FORM_ROOM);
			/* Small numbers are more often states and lengths that exist */
			for (i = 0; round & 1 && i < FTRACE_FORM_ROOM; i++)
				data[i] %= 8;
			trace_seq_init(s);
			/* At the end, so that KASAN sees what is read behind it */
			form->print(s, data + FTRACE_FORM_ROOM - size, size,
				    round & 2 ? FTRACE_SIG_HASH : 0);
			expect_line(test, s, form->name);
		}
	}
}

static struct kunit_case forms_cases[] = {
	KUNIT_CASE(forms_are_found),
	KUNIT_CASE(forms_paths),
	KUNIT_CASE(forms_paths_in_change),
	KUNIT_CASE(forms_paths_in_race),
	KUNIT_CASE(forms_files_without_path),
	KUNIT_CASE(forms_broken_dentries),
	KUNIT_CASE(forms_files_without_dentry),
	KUNIT_CASE(forms_members),
	KUNIT_CASE(forms_example),
	KUNIT_CASE(forms_long_names),
	KUNIT_CASE(forms_functions),
	KUNIT_CASE(forms_locks_and_lists),
	KUNIT_CASE(forms_net),
	KUNIT_CASE(forms_io),
	KUNIT_CASE(forms_little_room),
	KUNIT_CASE(forms_no_object),
	KUNIT_CASE(forms_garbage),
	KUNIT_CASE(forms_damaged_events),
	{}
};

static struct kunit_suite forms_suite = {
	.name = "ftrace_signature_forms",
	.test_cases = forms_cases,
};

kunit_test_suite(forms_suite);
