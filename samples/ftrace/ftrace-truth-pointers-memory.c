// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses that are not followed or lead to no memory, and memory of the user; included
 * by ftrace-truth-pointers.c
 */

static __truth void truth_p_address(int *number, struct truth_inner *inner,
				    const void *data, size_t size)
{
	static char shown[3][TRUTH_SHOWN];

	truth_entered("number=%s, inner=%s, data=%s, size=%zu",
		      truth_expected ?: truth_address(shown[0], number),
		      truth_expected ?: truth_address(shown[1], inner),
		      truth_expected ?: truth_address(shown[2], data), size);
	truth_returned("");
}

static void truth_call_address(void *address)
{
	truth_p_text(address);
	truth_p_address(address, address, address, 4);
}

static void truth_call_fault(void *address)
{
	char shown[TRUTH_SHOWN];

	truth_expected = truth_fault(shown, address);
	truth_call_address(address);
	truth_expected = NULL;
}

static void truth_run_unmapped(void)
{
	char *pages = vmalloc(2 * PAGE_SIZE);

	if (pages) {
		strscpy(pages, "freed", PAGE_SIZE);
		truth_p_text(pages);
		vfree(pages);
		truth_call_fault(pages);
	}
	/* Each begins in memory that is there, and ends in some that is not */
	truth_last_page[PAGE_SIZE - 1] = 1;
	truth_call_fault(truth_last_page + PAGE_SIZE - 1);
}

/* The local APIC's registers: they would be read, not what they contain noted */
static void truth_run_device(void)
{
	void __iomem *io = ioremap(0xfee00000, PAGE_SIZE);

	if (!io)
		return;
	truth_call_fault((__force void *)io);
	truth_call_fault((__force void *)io + 0x20);
	iounmap(io);
}

/*
 * Nothing tells a per-CPU variable's offset from an address. On x86-64, it is none, unless
 * there is only one CPU: then the offset is the address.
 */
static void truth_run_percpu(void)
{
	int __percpu *number = alloc_percpu(int);

	if (number && IS_ENABLED(CONFIG_X86_64) && IS_ENABLED(CONFIG_SMP))
		truth_call_fault((__force void *)number);
	free_percpu(number);
}

static void truth_run_addresses(unsigned int unused)
{
	truth_call_address(NULL);
	truth_call_address(ERR_PTR(-ENOENT));
	truth_call_address(ERR_PTR(-MAX_ERRNO));
	truth_call_fault((void *)8);
	truth_call_fault(ERR_PTR(-MAX_ERRNO) - 1);
	truth_call_fault((void *)LIST_POISON1);
	truth_call_fault((void *)LIST_POISON2);
	if (IS_ENABLED(CONFIG_X86_64)) {
		truth_call_fault((void *)BIT(BITS_PER_LONG - 1));
		truth_call_fault((void *)BIT(BITS_PER_LONG - 2) + 1);
		truth_call_fault((void *)(ULONG_MAX << (BITS_PER_LONG - 4)));
		/* On x86-32, the user's stack may be there */
		truth_call_fault((void *)TASK_SIZE_MAX - 1);
		truth_call_fault((void *)PAGE_OFFSET - PAGE_SIZE);
	}
	truth_run_unmapped();
	truth_run_device();
	truth_run_percpu();
}

/*
 * The user's memory
 */

static __truth void truth_p_user(const char __user *name)
{
	truth_entered("name=%s", truth_expected);
	truth_returned("");
}

static __truth void truth_p_user_bytes(const void __user *buf, size_t count)
{
	truth_entered("buf=%s, count=%zu", truth_expected, count);
	truth_returned("");
}

static __truth void truth_p_user_value(const int __user *value)
{
	truth_entered("value=%s", truth_expected);
	truth_returned("");
}

static unsigned long truth_map(struct file *file, unsigned long prot, unsigned long flags)
{
	unsigned long user = vm_mmap(file, 0, 2 * PAGE_SIZE, prot, flags, 0);

	return IS_ERR_VALUE(user) ? 0 : user;
}

static void truth_unmap(unsigned long user)
{
	if (user)
		vm_munmap(user, 2 * PAGE_SIZE);
}

static void truth_call_user(unsigned long user, const char *name, const char *bytes,
			    const char *value)
{
	truth_expected = name;
	truth_p_user((const char __user *)user);
	/* A function of the kernel's memory is passed the user's by mistake */
	truth_p_text((const char *)user);
	truth_expected = bytes;
	truth_p_user_bytes((const void __user *)user, 4);
	truth_expected = value;
	truth_p_user_value((const int __user *)user);
	truth_expected = NULL;
}

static void truth_call_user_fault(unsigned long user)
{
	char shown[TRUTH_SHOWN];

	truth_fault(shown, (void *)user);
	truth_call_user(user, shown, shown, shown);
}

static void truth_run_anonymous(void)
{
	unsigned long user = truth_map(NULL, PROT_READ | PROT_WRITE,
				       MAP_ANONYMOUS | MAP_PRIVATE);
	unsigned long end = user + PAGE_SIZE;
	char shown[TRUTH_SHOWN];

	if (!user)
		return;
	truth_call_user_fault(user);
	if (!copy_to_user((void __user *)user, "\1\0\0\0", 4))
		truth_call_user(user, "\"\\1\"", "\"\\1\\0\\0\\0\"", "&1");
	if (!copy_to_user((void __user *)user + 1, "user", 5))
		truth_call_user(user + 1, "\"user\"", "\"user\"", "&1919251317");
	/* Text whose rest is not present */
	if (!copy_to_user((void __user *)end - 3, "end", 3)) {
		truth_fault(shown, (void *)end - 3);
		truth_call_user(end - 3, "\"end\"... <fault>", shown, shown);
	}
	truth_unmap(user);
	truth_call_user_fault(user);
}

static void truth_run_no_access(void)
{
	unsigned long user = truth_map(NULL, PROT_NONE, MAP_ANONYMOUS | MAP_PRIVATE);

	if (user)
		truth_call_user_fault(user);
	truth_unmap(user);
}

/* A file that becomes shorter: its pages are gone, but they are still mapped */
static void truth_run_truncated(void)
{
	struct file *file = shmem_file_setup("truth", 2 * PAGE_SIZE, 0);
	unsigned long user;

	if (IS_ERR(file))
		return;
	user = truth_map(file, PROT_READ | PROT_WRITE, MAP_SHARED);
	if (user && !copy_to_user((void __user *)user, "file", 5)) {
		truth_call_user(user, "\"file\"", "\"file\"", "&1701603686");
		if (!vfs_truncate(&file->f_path, 0))
			truth_call_user_fault(user);
	}
	truth_unmap(user);
	fput(file);
}

static void truth_run_user(unsigned int unused)
{
	static const char kernels[] = "kernel's";

	truth_run_anonymous();
	truth_run_no_access();
	truth_run_truncated();
	/* It is the kernel's, whatever the function expects */
	truth_expected = "\"kernel's\"";
	truth_p_user((__force const char __user *)kernels);
	truth_expected = NULL;
}
