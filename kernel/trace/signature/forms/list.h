/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All forms, in the order of strcmp(), which the search needs and a test checks: capitals,
 * the underscore, small letters.  A structure that does not exist in each configuration
 * has another macro than FORM().
 */

#ifdef CONFIG_BLOCK
#define FORM_BLOCK(name) FORM(name)
#else
#define FORM_BLOCK(name)
#endif

#ifdef CONFIG_NET
#define FORM_NET(name) FORM(name)
#else
#define FORM_NET(name)
#endif

#ifdef CONFIG_MODULES
#define FORM_MODULES(name) FORM(name)
#else
#define FORM_MODULES(name)
#endif

#ifdef CONFIG_PCI
#define FORM_PCI(name) FORM(name)
#else
#define FORM_PCI(name)
#endif

#ifdef CONFIG_TTY
#define FORM_TTY(name) FORM(name)
#else
#define FORM_TTY(name)
#endif

#ifndef CONFIG_PREEMPT_RT
#define FORM_NOT_RT(name) FORM(name)
#else
#define FORM_NOT_RT(name)
#endif

#if defined(CONFIG_QUEUED_SPINLOCKS) && !defined(CONFIG_PREEMPT_RT)
#define FORM_QSPINLOCK(name) FORM(name)
#else
#define FORM_QSPINLOCK(name)
#endif

FORM(__kernel_itimerspec)
FORM(__kernel_old_timeval)
FORM(__kernel_sockaddr_storage)
FORM(__kernel_timespec)
FORM(address_space)
FORM(atomic64_t)
FORM(atomic_t)
FORM(attribute)
FORM_BLOCK(bio)
FORM(bio_vec)
FORM_BLOCK(block_device)
FORM_BLOCK(buffer_head)
FORM(bus_type)
FORM(callback_head)
FORM(cdev)
FORM(class)
FORM(clock_event_device)
FORM(clocksource)
FORM(completion)
FORM(cpumask)
FORM(cred)
FORM(ctl_table)
FORM(delayed_work)
FORM(dentry)
FORM(device)
FORM(device_driver)
FORM(dir_context)
FORM(file)
FORM(file_system_type)
FORM(filename)
FORM(folio)
FORM_BLOCK(gendisk)
FORM(hrtimer)
FORM(iattr)
FORM(in6_addr)
FORM(in_addr)
FORM(inode)
FORM(iov_iter)
FORM(iovec)
FORM(irq_work)
FORM(irqaction)
FORM(itimerspec64)
FORM(k_sigaction)
FORM(kernel_clone_args)
FORM(kernel_param)
FORM(kernel_siginfo)
FORM(kernfs_node)
FORM(kiocb)
FORM(kobject)
FORM(kref)
FORM(kset)
FORM(ksignal)
FORM(kstat)
FORM(kthread_work)
FORM(ktime_t)
FORM(kvec)
FORM(linux_binprm)
FORM(list_head)
FORM(lockref)
FORM(miscdevice)
FORM(mm_struct)
FORM_MODULES(module)
FORM(msghdr)
FORM_NOT_RT(mutex)
FORM_NET(net)
FORM_NET(net_device)
FORM(notifier_block)
FORM(old_timespec32)
FORM(old_timeval32)
FORM(page)
FORM(path)
FORM_PCI(pci_dev)
FORM_PCI(pci_driver)
FORM(percpu_counter)
FORM(pid)
FORM(platform_device)
FORM(platform_driver)
FORM_NET(proto)
FORM(pt_regs)
FORM(qstr)
FORM_QSPINLOCK(raw_spinlock)
FORM(refcount_struct)
FORM_BLOCK(request)
FORM_BLOCK(request_queue)
FORM(resource)
FORM(rlimit)
FORM_NOT_RT(rw_semaphore)
FORM(scatterlist)
FORM(sched_param)
FORM(semaphore)
FORM(seq_file)
FORM_NET(sk_buff)
FORM_NET(sock)
FORM(sockaddr)
FORM(sockaddr_alg)
FORM(sockaddr_can)
FORM(sockaddr_in)
FORM(sockaddr_in6)
FORM(sockaddr_ll)
FORM(sockaddr_nl)
FORM(sockaddr_un)
FORM(sockaddr_vm)
FORM(sockaddr_xdp)
FORM_NET(socket)
FORM_QSPINLOCK(spinlock)
FORM(super_block)
FORM(task_struct)
FORM(tasklet_struct)
FORM(timer_list)
FORM(timespec64)
FORM_TTY(tty_driver)
FORM_TTY(tty_struct)
FORM(vfsmount)
FORM(vm_area_struct)
FORM(vm_fault)
FORM(wait_queue_entry)
FORM(wait_queue_head)
FORM(work_struct)
FORM(writeback_control)
FORM(zone)

#undef FORM_BLOCK
#undef FORM_NET
#undef FORM_MODULES
#undef FORM_PCI
#undef FORM_TTY
#undef FORM_NOT_RT
#undef FORM_QSPINLOCK
