// SPDX-License-Identifier: GPL-2.0
/*
 * Each form shows the members of an object as they were set, and live objects as what
 * they are.  The last test finds forms that none of these is about.
 */
#include <linux/binfmts.h>
#include <linux/blk-mq.h>
#include <linux/buffer_head.h>
#include <linux/cdev.h>
#include <linux/clockchips.h>
#include <linux/clocksource.h>
#include <linux/cred.h>
#include <linux/interrupt.h>
#include <linux/io_uring_types.h>
#include <linux/irq_work.h>
#include <linux/kernfs.h>
#include <linux/kthread.h>
#include <linux/miscdevice.h>
#include <linux/mmzone.h>
#include <linux/notifier.h>
#include <linux/pci.h>
#include <linux/percpu_counter.h>
#include <linux/pid.h>
#include <linux/platform_device.h>
#include <linux/scatterlist.h>
#include <linux/semaphore.h>
#include <linux/seq_file.h>
#include <linux/sysctl.h>
#include <linux/time32.h>
#include <linux/timex.h>
#include <linux/tty.h>
#include <linux/tty_driver.h>
#include <linux/uio.h>
#include <linux/writeback.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "../signature.h"
#include "form_text.h"

/* An object of zeroes that lives as long as the test */
#define NEW(test, type)								\
({										\
	type *_new = kunit_kzalloc(test, sizeof(type), GFP_KERNEL);		\
										\
	KUNIT_ASSERT_NOT_NULL(test, _new);					\
	_new;									\
})

/* A function whose name is shown */
static void called(void)
{
}

#define CALLED(member)	((typeof(member))(void *)called)

static void forms_times(struct kunit *test)
{
	struct itimerspec64 timer = { { 1, 2 }, { 3, 4 } };
	struct __kernel_itimerspec kernels = { { 5, 6 }, { -7, 8 } };
	struct __kernel_timespec timespec = { -1, 999999999 };
	struct __kernel_old_timeval timeval = { 9, 10 };
	struct old_timespec32 timespec32 = { -11, 12 };
	struct old_timeval32 timeval32 = { 13, 14 };
	struct timespec64 large = { 5000000000LL, 0 };
	ktime_t time = 1000000;

	EXPECT_TEXT(test, "itimerspec64", &timer,
		    "{interval.tv_sec=1, interval.tv_nsec=2, value.tv_sec=3, value.tv_nsec=4}");
	EXPECT_TEXT(test, "__kernel_itimerspec", &kernels,
		    "{interval.tv_sec=5, interval.tv_nsec=6, value.tv_sec=-7, value.tv_nsec=8}");
	EXPECT_TEXT(test, "__kernel_timespec", &timespec, "{tv_sec=-1, tv_nsec=999999999}");
	EXPECT_TEXT(test, "__kernel_old_timeval", &timeval, "{tv_sec=9, tv_usec=10}");
	EXPECT_TEXT(test, "old_timespec32", &timespec32, "{tv_sec=-11, tv_nsec=12}");
	EXPECT_TEXT(test, "old_timeval32", &timeval32, "{tv_sec=13, tv_usec=14}");
	EXPECT_TEXT(test, "timespec64", &large, "{tv_sec=5000000000, tv_nsec=0}");
	EXPECT_TEXT(test, "ktime_t", &time, "1000000");
}

static void forms_clocks(struct kunit *test)
{
	struct clock_event_device *device = NEW(test, struct clock_event_device);
	struct clocksource *clock = NEW(test, struct clocksource);
	struct timer_list *timer = NEW(test, struct timer_list);
	struct hrtimer *hrtimer = NEW(test, struct hrtimer);

	clock->name = "jiffies";
	EXPECT_TEXT(test, "clocksource", clock, "\"jiffies\"");
	device->name = "lapic";
	EXPECT_TEXT(test, "clock_event_device", device, "\"lapic\"");
	timer->function = CALLED(timer->function);
	timer->expires = 4294937466UL;
	EXPECT_TEXT(test, "timer_list", timer, "{func=called, expires=4294937466}");
	hrtimer->function = CALLED(hrtimer->function);
	hrtimer->node.expires = -1;
	EXPECT_TEXT(test, "hrtimer", hrtimer, "{func=called, expires=-1}");
}

static void forms_callbacks(struct kunit *test)
{
	struct tasklet_struct *tasklet = NEW(test, struct tasklet_struct);
	struct wait_queue_entry *entry = NEW(test, struct wait_queue_entry);
	struct notifier_block *notifier = NEW(test, struct notifier_block);
	struct delayed_work *delayed = NEW(test, struct delayed_work);
	struct kthread_work *kthread = NEW(test, struct kthread_work);
	struct callback_head *head = NEW(test, struct callback_head);
	struct irq_work *irq = NEW(test, struct irq_work);
	struct work_struct *work = NEW(test, struct work_struct);

	work->func = CALLED(work->func);
	EXPECT_TEXT(test, "work_struct", work, "{func=called}");
	delayed->work.func = CALLED(work->func);
	delayed->timer.expires = 12;
	EXPECT_TEXT(test, "delayed_work", delayed, "{func=called, expires=12}");
	kthread->func = CALLED(kthread->func);
	EXPECT_TEXT(test, "kthread_work", kthread, "{func=called}");
	irq->func = CALLED(irq->func);
	EXPECT_TEXT(test, "irq_work", irq, "{func=called}");
	tasklet->func = CALLED(tasklet->func);
	tasklet->state = BIT(TASKLET_STATE_RUN);
	EXPECT_TEXT(test, "tasklet_struct", tasklet, "{func=called, state=0x2}");
	EXPECT_TEXT(test, "callback_head", head, "{func=NULL}");
	head->func = CALLED(head->func);
	EXPECT_TEXT(test, "callback_head", head, "{func=called}");
	notifier->notifier_call = CALLED(notifier->notifier_call);
	notifier->priority = -3;
	EXPECT_TEXT(test, "notifier_block", notifier, "{call=called, priority=-3}");
	entry->func = CALLED(entry->func);
	entry->flags = WQ_FLAG_EXCLUSIVE;
	entry->private = entry;
	EXPECT_TEXT(test, "wait_queue_entry", entry, "{func=called, flags=0x1, private=0x%lx}",
		    (unsigned long)entry);
}

static void forms_counters(struct kunit *test)
{
	struct percpu_counter *counter = NEW(test, struct percpu_counter);
	struct lockref *lockref = NEW(test, struct lockref);
	struct completion done;
	struct semaphore sem;
	refcount_t refs = REFCOUNT_INIT(5);
	struct kref kref = KREF_INIT(6);
	atomic_t number = ATOMIC_INIT(-7);
	atomic64_t wide = ATOMIC64_INIT(-0x100000001LL);

	EXPECT_TEXT(test, "refcount_struct", &refs, "{refs=5}");
	EXPECT_TEXT(test, "kref", &kref, "{refcount=6}");
	EXPECT_TEXT(test, "atomic_t", &number, "{counter=-7}");
	EXPECT_TEXT(test, "atomic64_t", &wide, "{counter=-4294967297}");
	counter->count = -8;
	EXPECT_TEXT(test, "percpu_counter", counter, "{count=-8}");
	lockref->count = 9;
	EXPECT_TEXT(test, "lockref", lockref, "{count=9}");
	sema_init(&sem, 3);
	EXPECT_TEXT(test, "semaphore", &sem, "{count=3}");
	down(&sem);
	EXPECT_TEXT(test, "semaphore", &sem, "{count=2}");
	init_completion(&done);
	EXPECT_TEXT(test, "completion", &done, "{done=0}");
	complete(&done);
	EXPECT_TEXT(test, "completion", &done, "{done=1}");
}

static void forms_queues(struct kunit *test)
{
	struct wait_queue_head head;
	DEFINE_WAIT(wait);
	raw_spinlock_t lock;

	init_waitqueue_head(&head);
	EXPECT_TEXT(test, "wait_queue_head", &head, "{empty}");
	add_wait_queue(&head, &wait);
	EXPECT_TEXT(test, "wait_queue_head", &head, "{next=0x%lx, prev=0x%lx}",
		    (unsigned long)&wait.entry, (unsigned long)&wait.entry);
	remove_wait_queue(&head, &wait);
	EXPECT_TEXT(test, "wait_queue_head", &head, "{empty}");

	if (!IS_ENABLED(CONFIG_QUEUED_SPINLOCKS) || IS_ENABLED(CONFIG_PREEMPT_RT))
		return;
	raw_spin_lock_init(&lock);
	EXPECT_TEXT(test, "raw_spinlock", &lock, "{unlocked}");
}

static void forms_files(struct kunit *test)
{
	struct linux_binprm *bprm = NEW(test, struct linux_binprm);
	struct address_space *mapping = NEW(test, struct address_space);
	struct dir_context *dir = NEW(test, struct dir_context);
	struct file_system_type *type = NEW(test, struct file_system_type);
	struct kernfs_node *node = NEW(test, struct kernfs_node);
	struct seq_file *seq = NEW(test, struct seq_file);
	struct filename *name = NEW(test, struct filename);
	struct inode *inode = NEW(test, struct inode);
	struct ctl_table *ctl = NEW(test, struct ctl_table);

	type->name = "a type";
	EXPECT_TEXT(test, "file_system_type", type, "\"a type\"");
	name->name = "/no/such";
	EXPECT_TEXT(test, "filename", name, "\"/no/such\"");
	seq->index = -1;
	seq->count = 2;
	seq->size = 4096;
	EXPECT_TEXT(test, "seq_file", seq, "{file=NULL, index=-1, count=2, size=4096}");
	bprm->filename = "/bin/script";
	bprm->interp = "/bin/sh";
	bprm->argc = 2;
	bprm->envc = 3;
	EXPECT_TEXT(test, "linux_binprm", bprm,
		    "{filename=\"/bin/script\", interp=\"/bin/sh\", argc=2, envc=3}");
	EXPECT_TEXT(test, "address_space", mapping, "{ino=NULL, nrpages=0}");
	inode->i_ino = 77;
	mapping->host = inode;
	mapping->nrpages = 9;
	EXPECT_TEXT(test, "address_space", mapping, "{ino=77, nrpages=9}");
	*(filldir_t *)&dir->actor = CALLED(dir->actor);
	dir->pos = 5;
	EXPECT_TEXT(test, "dir_context", dir, "{actor=called, pos=5}");
	node->name = "node";
	EXPECT_TEXT(test, "kernfs_node", node, "\"node\"");
	ctl->procname = "ostype";
	EXPECT_TEXT(test, "ctl_table", ctl, "\"ostype\"");
}

static void forms_attributes(struct kunit *test)
{
	struct writeback_control *wbc = NEW(test, struct writeback_control);
	struct iattr *attr = NEW(test, struct iattr);
	struct kstat *stat = NEW(test, struct kstat);
	struct super_block *sb = NEW(test, struct super_block);
	struct file_system_type type = { .name = "ext4" };
	struct cdev *cdev = NEW(test, struct cdev);

	sb->s_type = &type;
	strscpy(sb->s_id, "sda1", sizeof(sb->s_id));
	EXPECT_TEXT(test, "super_block", sb, "{type=\"ext4\", id=\"sda1\"}");
	attr->ia_valid = ATTR_MODE | ATTR_SIZE;
	attr->ia_mode = S_IFREG | 0640;
	attr->ia_uid = KUIDT_INIT(1000);
	attr->ia_gid = KGIDT_INIT(100);
	attr->ia_size = 5000000000LL;
	EXPECT_TEXT(test, "iattr", attr,
		    "{valid=0x9, mode=S_IFREG|0640, uid=1000, gid=100, size=5000000000}");
	stat->mode = S_IFBLK | 0600;
	stat->ino = 123;
	stat->dev = MKDEV(8, 17);
	stat->nlink = 2;
	stat->size = -1;
	EXPECT_TEXT(test, "kstat", stat, "{S_IFBLK|0600, ino=123, dev=8:17, nlink=2, size=-1}");
	wbc->nr_to_write = LONG_MAX;
	wbc->range_start = 4096;
	wbc->range_end = LLONG_MAX;
	wbc->sync_mode = WB_SYNC_ALL;
	EXPECT_TEXT(test, "writeback_control", wbc,
		    "{nr_to_write=%ld, range_start=4096, range_end=%lld, sync_mode=1}", LONG_MAX,
		    LLONG_MAX);
	cdev->dev = MKDEV(4, 64);
	cdev->count = 3;
	EXPECT_TEXT(test, "cdev", cdev, "{dev=4:64, count=3}");
}

static void forms_tasks(struct kunit *test)
{
	struct cred *cred = NEW(test, struct cred);
	struct pt_regs *regs = NEW(test, struct pt_regs);
	struct sched_param param = { .sched_priority = 50 };
	struct rlimit limit = { 1024, RLIM_INFINITY };

	EXPECT_TEXT(test, "task_struct", current, "{comm=\"%s\", pid=%d}", current->comm,
		    task_pid_nr(current));
	EXPECT_TEXT(test, "pid", task_pid(current), "{nr=%d, level=0}", task_pid_nr(current));
	cred->uid = KUIDT_INIT(1);
	cred->gid = KGIDT_INIT(2);
	cred->euid = KUIDT_INIT(3);
	cred->egid = KGIDT_INIT(4);
	cred->cap_effective.val = BIT_ULL(40) | BIT(CAP_KILL);
	EXPECT_TEXT(test, "cred", cred,
		    "{uid=1, gid=2, euid=3, egid=4, cap_effective=0x10000000020}");
	EXPECT_TEXT(test, "sched_param", &param, "{sched_priority=50}");
	EXPECT_TEXT(test, "rlimit", &limit, sizeof(long) == 8 ?
		    "{rlim_cur=1024, rlim_max=0xffffffffffffffff}" :
		    "{rlim_cur=1024, rlim_max=4294967295}");
	regs->ip = (unsigned long)called;
	regs->sp = 0x1000;
	regs->ax = -EINVAL;
	regs->orig_ax = -1;
	EXPECT_TEXT(test, "pt_regs", regs, "{ip=called, sp=0x1000, ax=0x%lx, orig_ax=-1}",
		    (unsigned long)-EINVAL);
}

static void forms_signals(struct kunit *test)
{
	struct kernel_clone_args *clone = NEW(test, struct kernel_clone_args);
	struct kernel_siginfo *info = NEW(test, struct kernel_siginfo);
	struct k_sigaction *action = NEW(test, struct k_sigaction);
	struct ksignal *signal = NEW(test, struct ksignal);

	info->si_signo = SIGSEGV;
	info->si_errno = -1;
	info->si_code = SEGV_MAPERR;
	EXPECT_TEXT(test, "kernel_siginfo", info, "{si_signo=11, si_errno=-1, si_code=1}");
	signal->sig = SIGCHLD;
	signal->info.si_code = CLD_EXITED;
	signal->ka.sa.sa_handler = SIG_IGN;
	EXPECT_TEXT(test, "ksignal", signal, "{sig=17, si_code=1, handler=0x1}");
	action->sa.sa_flags = SA_RESTART;
	EXPECT_TEXT(test, "k_sigaction", action, "{sa_handler=NULL, sa_flags=0x10000000}");
	clone->flags = CLONE_VM | CLONE_INTO_CGROUP;
	clone->exit_signal = SIGCHLD;
	clone->name = "worker";
	clone->fn = CALLED(clone->fn);
	EXPECT_TEXT(test, "kernel_clone_args", clone,
		    "{flags=0x200000100, exit_signal=17, name=\"worker\", fn=called}");
}

static void forms_memory(struct kunit *test)
{
	struct vm_area_struct *vma = NEW(test, struct vm_area_struct);
	struct mm_struct *mm = NEW(test, struct mm_struct);
	struct resource *resource = NEW(test, struct resource);
	struct scatterlist *list = NEW(test, struct scatterlist);
	struct vm_fault fault = { .real_address = 0x7f001234, .flags = FAULT_FLAG_WRITE,
				  .pgoff = 3 };
	struct zone *zone = NEW(test, struct zone);

	vma->vm_start = 0x400000;
	vma->vm_end = 0x401000;
	vm_flags_init(vma, VM_READ | VM_EXEC);
	vma->vm_pgoff = 16;
	EXPECT_TEXT(test, "vm_area_struct", vma,
		    "{start=0x400000, end=0x401000, flags=read|exec, file=NULL, pgoff=16}");
	EXPECT_TEXT(test, "vm_fault", &fault, "{address=0x7f001234, flags=0x1, pgoff=3}");
	atomic_set(&mm->mm_users, 2);
	EXPECT_TEXT(test, "mm_struct", mm, "{exe=NULL, users=2}");
	zone->name = "Normal";
	EXPECT_TEXT(test, "zone", zone, "\"Normal\"");
	resource->name = "PCI Bus";
	resource->start = 0xe0000000;
	resource->end = 0xefffffff;
	resource->flags = IORESOURCE_MEM;
	EXPECT_TEXT(test, "resource", resource,
		    "{name=\"PCI Bus\", start=0xe0000000, end=0xefffffff, flags=0x200}");
	list->offset = 512;
	list->length = 1024;
	EXPECT_TEXT(test, "scatterlist", list, "{offset=512, length=1024}");
}

static void forms_pages(struct kunit *test)
{
	struct page *page = alloc_page(GFP_KERNEL);
	unsigned long flags;

	KUNIT_ASSERT_NOT_NULL(test, page);
	get_page(page);
	__SetPageUptodate(page);
	page->index = 7;
	page->mapping = NULL;
	flags = page->flags;
	EXPECT_TEXT(test, "page", page, "{flags=%pGp, refcount=2, mapping=NULL, index=7}", &flags);
	EXPECT_TEXT(test, "folio", page_folio(page),
		    "{flags=%pGp, refcount=2, mapping=NULL, index=7}", &flags);
	KUNIT_EXPECT_NOT_NULL(test, strstr(form_text(test, form_of(test, "page", sizeof(*page)),
						     page, 0), "uptodate"));
	put_page(page);
	put_page(page);
}

static void forms_blocks(struct kunit *test)
{
#ifdef CONFIG_BLOCK
	struct request_queue *queue = NEW(test, struct request_queue);
	struct block_device *part = NEW(test, struct block_device);
	struct buffer_head *buffer = NEW(test, struct buffer_head);
	struct request *request = NEW(test, struct request);
	struct gendisk *disk = NEW(test, struct gendisk);
	struct bio *bio = NEW(test, struct bio);

	EXPECT_TEXT(test, "bio", bio, "{bdev=NULL, opf=0x0, sector=0, size=0}");
	part->bd_device.kobj.name = "sda1";
	EXPECT_TEXT(test, "block_device", part, "\"sda1\"");
	bio->bi_bdev = part;
	bio->bi_opf = REQ_OP_WRITE;
	bio->bi_iter.bi_sector = 2048;
	bio->bi_iter.bi_size = 4096;
	EXPECT_TEXT(test, "bio", bio, "{bdev=\"sda1\", opf=0x1, sector=2048, size=4096}");
	request->part = part;
	request->cmd_flags = REQ_OP_FLUSH;
	request->__sector = 5000000000ULL;
	request->__data_len = 512;
	request->tag = -1;
	EXPECT_TEXT(test, "request", request,
		    "{part=\"sda1\", cmd_flags=0x2, sector=0x12a05f200, data_len=512, tag=-1}");
	strscpy(disk->disk_name, "sda", sizeof(disk->disk_name));
	EXPECT_TEXT(test, "gendisk", disk, "\"sda\"");
	EXPECT_TEXT(test, "request_queue", queue, "{disk=NULL}");
	queue->disk = disk;
	EXPECT_TEXT(test, "request_queue", queue, "{disk=\"sda\"}");
	buffer->b_blocknr = 33;
	buffer->b_size = 1024;
	buffer->b_state = BIT(BH_Uptodate) | BIT(BH_Mapped);
	EXPECT_TEXT(test, "buffer_head", buffer, "{block=33, size=1024, state=0x%lx}",
		    buffer->b_state);
#endif
}

static void forms_devices(struct kunit *test)
{
	struct platform_driver *pdriver = NEW(test, struct platform_driver);
	struct platform_device *pdev = NEW(test, struct platform_device);
	struct device_driver *driver = NEW(test, struct device_driver);
	struct kernel_param *param = NEW(test, struct kernel_param);
	struct miscdevice *misc = NEW(test, struct miscdevice);
	struct attribute *attribute = NEW(test, struct attribute);
	const struct bus_type bus = { .name = "bus" };
	struct kobject *kobj = NEW(test, struct kobject);
	struct class *class = NEW(test, struct class);
	struct kset *kset = NEW(test, struct kset);

	kobj->name = "kobj";
	EXPECT_TEXT(test, "kobject", kobj, "\"kobj\"");
	kset->kobj.name = "kset";
	EXPECT_TEXT(test, "kset", kset, "\"kset\"");
	attribute->name = "attribute";
	EXPECT_TEXT(test, "attribute", attribute, "\"attribute\"");
	driver->name = "driver";
	EXPECT_TEXT(test, "device_driver", driver, "\"driver\"");
	EXPECT_TEXT(test, "bus_type", &bus, "\"bus\"");
	class->name = "class";
	EXPECT_TEXT(test, "class", class, "\"class\"");
	misc->name = "misc";
	EXPECT_TEXT(test, "miscdevice", misc, "\"misc\"");
	pdev->dev.kobj.name = "pdev.0";
	EXPECT_TEXT(test, "platform_device", pdev, "\"pdev.0\"");
	pdriver->driver.name = "pdriver";
	EXPECT_TEXT(test, "platform_driver", pdriver, "\"pdriver\"");
	/* It is a constant, except while it is made */
	*(const char **)&param->name = "debug";
	EXPECT_TEXT(test, "kernel_param", param, "\"debug\"");
}

static void forms_drivers(struct kunit *test)
{
	struct irqaction *action = NEW(test, struct irqaction);

	action->name = "timer";
	action->irq = 9;
	action->handler = CALLED(action->handler);
	EXPECT_TEXT(test, "irqaction", action, "{name=\"timer\", irq=9, handler=called}");
#ifdef CONFIG_MODULES
	struct module *module = NEW(test, struct module);

	strscpy(module->name, "a_module", sizeof(module->name));
	EXPECT_TEXT(test, "module", module, "\"a_module\"");
#endif
#ifdef CONFIG_PCI
	struct pci_driver *pci_driver = NEW(test, struct pci_driver);
	struct pci_dev *pci = NEW(test, struct pci_dev);

	pci->dev.kobj.name = "0000:00:1f.2";
	EXPECT_TEXT(test, "pci_dev", pci, "\"0000:00:1f.2\"");
	pci_driver->name = "ahci";
	EXPECT_TEXT(test, "pci_driver", pci_driver, "\"ahci\"");
#endif
#ifdef CONFIG_TTY
	struct tty_driver *tty_driver = NEW(test, struct tty_driver);
	struct tty_struct *tty = NEW(test, struct tty_struct);

	strscpy(tty->name, "ttyS0", sizeof(tty->name));
	EXPECT_TEXT(test, "tty_struct", tty, "\"ttyS0\"");
	tty_driver->name = "pts";
	EXPECT_TEXT(test, "tty_driver", tty_driver, "\"pts\"");
#endif
}

static void forms_iterators(struct kunit *test)
{
	struct iovec iovec = { (void __user *)0x2000, 7 };
	struct bio_vec bvec = { (void *)0x3000, 8, 9 };
	struct iov_iter iter;

	EXPECT_TEXT(test, "iovec", &iovec, "{base=0x2000, len=7}");
	EXPECT_TEXT(test, "bio_vec", &bvec, "{page=0x3000, offset=9, len=8}");
	iov_iter_ubuf(&iter, ITER_DEST, (void __user *)0x1000, 6);
	EXPECT_TEXT(test, "iov_iter", &iter, "{ITER_UBUF, ITER_DEST, count=6, offset=0}");
	iov_iter_init(&iter, ITER_SOURCE, &iovec, 1, 7);
	EXPECT_TEXT(test, "iov_iter", &iter, "{ITER_IOVEC, ITER_SOURCE, count=7, offset=0}");
	iov_iter_bvec(&iter, ITER_DEST, &bvec, 1, 8);
	EXPECT_TEXT(test, "iov_iter", &iter, "{ITER_BVEC, ITER_DEST, count=8, offset=0}");
	iov_iter_discard(&iter, ITER_DEST, 5);
	EXPECT_TEXT(test, "iov_iter", &iter, "{ITER_DISCARD, ITER_DEST, count=5, offset=0}");
	iov_iter_xarray(&iter, ITER_DEST, NULL, 0, 3);
	EXPECT_TEXT(test, "iov_iter", &iter, "{ITER_XARRAY, ITER_DEST, count=3, offset=0}");
	iov_iter_folio_queue(&iter, ITER_SOURCE, NULL, 0, 0, 0);
	EXPECT_TEXT(test, "iov_iter", &iter, "{ITER_FOLIOQ, ITER_SOURCE, count=0, offset=0}");
}

static void forms_addresses(struct kunit *test)
{
	struct in6_addr in6 = { { .u6_addr8 = { 0x20, 0x01, 0x0d, 0xb8, [15] = 1 } } };
	struct in_addr in = { htonl(0xc0a80102) };
	struct msghdr msg = { .msg_name = &in, .msg_namelen = 16, .msg_controllen = 24,
			      .msg_flags = 0x40 };

	EXPECT_TEXT(test, "in_addr", &in, "192.168.1.2");
	EXPECT_TEXT(test, "in6_addr", &in6, "2001:db8::1");
	iov_iter_discard(&msg.msg_iter, ITER_DEST, 11);
	EXPECT_TEXT(test, "msghdr", &msg,
		    "{name=0x%lx, namelen=16, count=11, controllen=24, flags=0x40}",
		    (unsigned long)&in);
}

static void forms_sockets(struct kunit *test)
{
#ifdef CONFIG_NET
	struct proto *proto = NEW(test, struct proto);
	struct socket *none = NEW(test, struct socket);
	struct sock *sk = NEW(test, struct sock);

	strscpy(proto->name, "TCPv6", sizeof(proto->name));
	EXPECT_TEXT(test, "proto", proto, "\"TCPv6\"");
	EXPECT_TEXT(test, "net", &init_net, "{inum=%u}", init_net.ns.inum);
	KUNIT_EXPECT_NOT_NULL(test, strchr(form_text(test, form_of(test, "socket", sizeof(*none)),
						     none, 0), '?'));
	sk->sk_family = AF_INET;
	sk->sk_type = SOCK_STREAM;
	sk->sk_protocol = IPPROTO_TCP;
	sk->sk_state = TCP_ESTABLISHED;
	sk->sk_rcv_saddr = htonl(INADDR_LOOPBACK);
	sk->sk_daddr = htonl(0x0a000001);
	sk->sk_num = 80;
	sk->sk_dport = htons(45020);
	EXPECT_TEXT(test, "sock", sk,
		    "{AF_INET, type=1, protocol=6, state=1, local=127.0.0.1:80, remote=10.0.0.1:45020}");
	sk->sk_family = AF_UNIX;
	sk->sk_protocol = 0;
	EXPECT_TEXT(test, "sock", sk, "{AF_UNIX, type=1, protocol=0, state=1}");
#if IS_ENABLED(CONFIG_IPV6)
	sk->sk_family = AF_INET6;
	sk->sk_v6_rcv_saddr.s6_addr[15] = 1;
	sk->sk_v6_daddr.s6_addr[0] = 0xfe;
	EXPECT_TEXT(test, "sock", sk,
		    "{AF_INET6, type=1, protocol=0, state=1, local=[::1]:80, remote=[fe00::]:45020}");
#endif
#endif
}

/* Members of which a rule tells the constants, if names are asked for */
static void forms_names(struct kunit *test)
{
#ifdef CONFIG_FTRACE_SIGNATURES_CONSTANTS
	struct kernel_clone_args *clone = NEW(test, struct kernel_clone_args);
	struct vm_fault fault = { .real_address = 0x7f001234, .flags = FAULT_FLAG_WRITE };
	struct ksignal *signal = NEW(test, struct ksignal);

	clone->flags = CLONE_VM | CLONE_INTO_CGROUP;
	clone->exit_signal = SIGCHLD;
	EXPECT_TEXT_HOW(test, "kernel_clone_args", clone, FTRACE_SIG_NAMES,
			"{flags=CLONE_VM|CLONE_INTO_CGROUP, exit_signal=SIGCHLD, name=NULL, fn=NULL}");
	clone->flags = 0;
	clone->exit_signal = -1;
	EXPECT_TEXT_HOW(test, "kernel_clone_args", clone, FTRACE_SIG_NAMES,
			"{flags=0, exit_signal=-1, name=NULL, fn=NULL}");
	EXPECT_TEXT_HOW(test, "vm_fault", &fault, FTRACE_SIG_NAMES,
			"{address=0x7f001234, flags=FAULT_FLAG_WRITE, pgoff=0}");
	signal->sig = SIGSEGV;
	EXPECT_TEXT_HOW(test, "ksignal", signal, FTRACE_SIG_NAMES,
			"{sig=SIGSEGV, si_code=0, handler=NULL}");
#endif
}

static void forms_socket_names(struct kunit *test)
{
#if defined(CONFIG_NET) && defined(CONFIG_FTRACE_SIGNATURES_CONSTANTS)
	struct msghdr msg = { .msg_flags = MSG_DONTWAIT | MSG_NOSIGNAL };
	struct sock *sk = NEW(test, struct sock);

	iov_iter_discard(&msg.msg_iter, ITER_DEST, 0);
	EXPECT_TEXT_HOW(test, "msghdr", &msg, FTRACE_SIG_NAMES,
			"{name=NULL, namelen=0, count=0, controllen=0, flags=MSG_DONTWAIT|MSG_NOSIGNAL}");
	sk->sk_family = AF_UNIX;
	sk->sk_type = SOCK_SEQPACKET;
	sk->sk_protocol = IPPROTO_TCP;
	sk->sk_state = TCP_LISTEN;
	/* Only the internet's families have its protocols */
	EXPECT_TEXT_HOW(test, "sock", sk, FTRACE_SIG_NAMES,
			"{AF_UNIX, type=SOCK_SEQPACKET, protocol=6, state=TCP_LISTEN}");
	sk->sk_family = AF_INET;
	sk->sk_type = SOCK_STREAM;
	sk->sk_num = 80;
	EXPECT_TEXT_HOW(test, "sock", sk, FTRACE_SIG_NAMES,
			"{AF_INET, type=SOCK_STREAM, protocol=IPPROTO_TCP, state=TCP_LISTEN, local=0.0.0.0:80, remote=0.0.0.0:0}");
#endif
}

/* What other files are about: paths, addresses, and what needs more than members that are set */
static const char *const tested_elsewhere[] = {
	"__kernel_sockaddr_storage", "cpumask", "dentry", "device", "file", "inode", "kiocb",
	"kvec", "list_head", "mutex", "net_device", "path", "qstr", "rw_semaphore", "sk_buff",
	"sockaddr", "sockaddr_alg", "sockaddr_can", "sockaddr_in", "sockaddr_in6", "sockaddr_ll",
	"sockaddr_nl", "sockaddr_un", "sockaddr_vm", "sockaddr_xdp", "spinlock", "vfsmount",
};

static void forms_all_are_tested(struct kunit *test)
{
	const struct ftrace_form *form;
	unsigned int id;

	for (id = 0; (form = ftrace_form_by_id(id)); id++)
		KUNIT_EXPECT_TRUE_MSG(test, form_was_tested(form) ||
				      match_string(tested_elsewhere, ARRAY_SIZE(tested_elsewhere),
						   form->name) >= 0,
				      "%s has no test", form->name);
}

static struct kunit_case forms_all_cases[] = {
	KUNIT_CASE(forms_times),
	KUNIT_CASE(forms_clocks),
	KUNIT_CASE(forms_callbacks),
	KUNIT_CASE(forms_counters),
	KUNIT_CASE(forms_queues),
	KUNIT_CASE(forms_files),
	KUNIT_CASE(forms_attributes),
	KUNIT_CASE(forms_tasks),
	KUNIT_CASE(forms_signals),
	KUNIT_CASE(forms_memory),
	KUNIT_CASE(forms_pages),
	KUNIT_CASE(forms_blocks),
	KUNIT_CASE(forms_devices),
	KUNIT_CASE(forms_drivers),
	KUNIT_CASE(forms_iterators),
	KUNIT_CASE(forms_addresses),
	KUNIT_CASE(forms_sockets),
	KUNIT_CASE(forms_names),
	KUNIT_CASE(forms_socket_names),
	KUNIT_CASE(forms_all_are_tested),
	{}
};

static struct kunit_suite forms_all_suite = {
	.name = "ftrace_signature_forms_all",
	.test_cases = forms_all_cases,
};

kunit_test_suite(forms_all_suite);
