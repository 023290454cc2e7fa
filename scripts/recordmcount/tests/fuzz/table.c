// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of signatures in the kernel's hands, for libFuzzer: the very code that
 * checks, finds, captures and prints in the kernel runs here on a table of any
 * bytes.  The build tool's reader must be of the same opinion about the table,
 * and oracle.c about each line that is printed.
 *
 * All memory is as large as it must be and not a byte larger, so that the
 * address sanitizer sees each step outside of it.
 */
#include "kernel_shim.h"

#include "../../../../kernel/trace/signature/signature.h"
#include "followed.h"
#include "mutate.h"
#include "oracle.h"
#include "report.h"
#include "table_host.h"

#define MAX_SITES	32	/* of each input, lest a few of them take all the time */

/* What the rest of the kernel would do */
void ftrace_sig_abandon_range(const struct ftrace_sig_range *range) { }
void ftrace_sig_use_range(const struct ftrace_sig_range *range) { }

static struct trace_seq seq;
static uint64_t noise;

/* Values that look like something: small, negative, an errno, an address */
static uint64_t next_word(void)
{
	uint64_t z = noise += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 29) * 0xbf58476d1ce4e5b9ull;
	z ^= z >> 32;
	switch (z & 7) {
	case 0:
		return z >> 8 & 0xff;
	case 1:
		return -(z >> 8 & 0x1fff);
	case 2:
		return 0xffffffff81000000ull | (z >> 8 & 0xffffff);
	case 3:
		return z >> 32;
	case 4:
		return z & (1ull << (z >> 8 & 63));
	default:
		return z;
	}
}

/* A copy at the end of memory of its own */
static void *copy_of(const void *data, size_t size)
{
	void *copy = malloc(size);

	if (size)
		memcpy(copy, data, size);
	return copy;
}

static void compare(struct text want, const char *what, u32 proto)
{
	/* A trace_seq that is full says so, and nothing is printed of it */
	if (!seq.full && (seq.seq.len != want.size ||
			  (want.size && memcmp(seq.buffer, want.at, want.size))))
		wrong("%s of the prototype at %u:\n  got  %.*s\n  want %.*s",
		      what, proto, (int)seq.seq.len, seq.buffer,
		      (int)want.size, want.at ? want.at : "");
	free(want.at);
}

static bool is_syscall(const struct ftrace_sig_proto *proto)
{
	return proto->flags & (FTRACE_SIG_SYSCALL | FTRACE_SIG_SYSCALL_32);
}

/* Registers of the user, at the top of the stack */
static struct pt_regs *place_user_regs(void)
{
	struct pt_regs *regs = (void *)shim_stack + THREAD_SIZE - sizeof(*regs);

	for (unsigned int i = 0; i < ARRAY_SIZE(shim_stack); i++)
		shim_stack[i] = next_word();
	return regs;
}

/* The word that an argument of a syscall should be */
static unsigned long syscall_word(const struct ftrace_sig_proto *proto, const struct pt_regs *regs,
				  unsigned int i)
{
	const unsigned long args[] = {
		regs->di, regs->si, regs->dx, regs->r10, regs->r8, regs->r9
	};
	const unsigned long args_32[] = {
		regs->bx, regs->cx, regs->dx, regs->si, regs->di, regs->bp
	};

	return proto->flags & FTRACE_SIG_SYSCALL ? args[i] : (uint32_t)args_32[i];
}

/* As at a call: from registers and a stack into as many words as are asked for */
static unsigned long *capture(const struct ftrace_sig_proto *proto,
			      unsigned int *nr_words)
{
	u32 shape = ftrace_sig_proto_shape(proto);
	unsigned long *stack, *words;
	struct ftrace_regs regs;
	unsigned int i;

	*nr_words = proto->nr_regs + proto->nr_stack;
	if (ftrace_sig_nr_words(shape) != (is_syscall(proto) ? 1 : *nr_words))
		wrong("a shape of %u words", ftrace_sig_nr_words(shape));
	for (i = 0; i < ARRAY_SIZE(regs.args); i++)
		regs.args[i] = next_word();
	stack = malloc((1 + proto->nr_stack) * sizeof(*stack));
	for (i = 0; i < 1u + proto->nr_stack; i++)
		stack[i] = next_word();
	regs.sp = (unsigned long)stack;
	words = malloc((*nr_words ?: 1) * sizeof(*words));
	if (is_syscall(proto)) {
		struct pt_regs *user = place_user_regs();

		regs.args[0] = (unsigned long)user;
		ftrace_sig_capture(shape, &regs, words);
		if (words[0] != regs.args[0])
			wrong("the argument of a syscall's entry is another");
		if (ftrace_sig_capture_syscall(shape, &regs, words) != *nr_words)
			wrong("a syscall has another number of arguments");
		for (i = 0; i < *nr_words; i++)
			if (words[i] != syscall_word(proto, user, i))
				wrong("argument %u of a syscall is another", i);
		free(stack);
		return words;
	}
	ftrace_sig_capture(shape, &regs, words);
	for (i = 0; i < *nr_words; i++)
		if (words[i] != (i < proto->nr_regs ? regs.args[i] :
				 stack[1 + i - proto->nr_regs]))
			wrong("word %u was captured from elsewhere", i);
	free(stack);
	return words;
}

static void print_params(const struct ftrace_signature *sig, const void *data,
			 u32 offset, const unsigned long *words,
			 unsigned int nr_words, unsigned int how)
{
	trace_seq_init(&seq);
	ftrace_sig_print_params(&seq, sig, words, nr_words, NULL, how, NULL);
	compare(oracle_params(data, offset, (const uint64_t *)words, nr_words,
			      how), "the arguments", offset);
}

static void print_ret(const struct ftrace_signature *sig, const void *data,
		      u32 offset, unsigned int how)
{
	uint64_t low = next_word(), next = next_word();
	const uint64_t *high = how & ORACLE_IS_RESULT ? &next : NULL;
	struct text want = oracle_ret(data, offset, low, high, how);
	bool printed;

	trace_seq_init(&seq);
	printed = ftrace_sig_print_ret(&seq, sig, low,
				       (const unsigned long *)high,
				       how & ~FTRACE_SIG_IS_RESULT, NULL);
	if (printed != !!want.at)
		wrong("the prototype at %u has a result or has none", offset);
	compare(want, "the result", offset);
}

static void use_proto(const struct ftrace_sig_table *table, const void *data,
		      u32 offset)
{
	struct ftrace_signature sig = { table, table->protos + offset };
	unsigned int how = noise & 7, nr_words;
	unsigned long *words = capture(sig.proto, &nr_words);

	print_params(&sig, data, offset, words, nr_words,
		     how & ~FTRACE_SIG_IS_RESULT);
	/* As an event that was recorded without them */
	if (nr_words)
		print_params(&sig, data, offset, NULL, 0, 0);
	print_ret(&sig, data, offset, how);
	follow(&sig, words, nr_words, next_word);
	free(words);
}

static void use_protos(const struct ftrace_sig_table *table, const void *data)
{
	for (u32 i = 0; i < table->nr_sites && i < MAX_SITES; i++)
		if (!i || table->sigs[i] != table->sigs[i - 1])
			use_proto(table, data, table->sigs[i]);
}

/* Order by the loader's addresses: sorting changes places, not addresses */
struct site {
	u32	address;
	u32	proto;
};

static int by_site(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct site));
}

static struct site *list_sites(const struct ftrace_sig_table *table)
{
	struct site *list = malloc(table->nr_sites * sizeof(*list));

	for (u32 i = 0; i < table->nr_sites; i++)
		list[i] = (struct site){
			ftrace_sig_site(table, i), table->sigs[i],
		};
	qsort(list, table->nr_sites, sizeof(*list), by_site);
	return list;
}

static void find_sites(const struct ftrace_sig_table *table)
{
	for (u32 i = 0; i < table->nr_sites; i++) {
		unsigned long site = ftrace_sig_site(table, i);

		if (ftrace_sig_table_find(table, site) !=
		    ftrace_sig_site_proto(table, i))
			wrong("call site %u is not found", i);
		if ((i + 1 == table->nr_sites ||
		     ftrace_sig_site(table, i + 1) != site + 1) &&
		    ftrace_sig_table_find(table, site + 1))
			wrong("a call site is found that is not there");
	}
	ftrace_sig_table_find(table, 0);
	ftrace_sig_table_find(table, ULONG_MAX);
}

static void sort_sites(struct ftrace_sig_table *table)
{
	struct site *before = list_sites(table), *after;

	ftrace_sig_table_sort(table);
	after = list_sites(table);
	if (memcmp(before, after, table->nr_sites * sizeof(*before)))
		wrong("sorting changes call sites");
	free(before);
	free(after);
	if (ftrace_sig_table_sorted(table))
		find_sites(table);
}

/* The same through the front door, with every look-up that readers do */
static void load_module(void *data, size_t size)
{
	struct ftrace_signature sig;
	struct module mod = {
		.name = "fuzzed",
		.ftrace_sigs = data,
		.ftrace_sigs_size = size,
	};

	mod.mem[MOD_TEXT].base = data + 0x100;
	mod.mem[MOD_TEXT].size = 0x10000;
	mod.mem[MOD_INIT_TEXT].base = data + 0x20000;
	mod.mem[MOD_INIT_TEXT].size = 0x1000;
	ftrace_sig_module_load(&mod);
	for (unsigned long ip = 0; ip < 0x400; ip += 16)
		if (ftrace_signature_find((unsigned long)data + ip, &sig))
			ftrace_sig_shape((unsigned long)data + ip);
	ftrace_sig_module_init_free(&mod);
	ftrace_signature_find_stale((unsigned long)data + 0x20010, &sig);
	ftrace_sig_module_free(&mod);
	if (ftrace_signature_find((unsigned long)data + 0x100, &sig))
		wrong("a module's signatures outlive it");
}

#ifdef FTRACE_SIG_F_APART
/* A table apart: all of its call sites must be of the image, and be found. */
static void use_apart(void *data, size_t size)
{
	const char *host = host_check_apart(data, size);
	struct ftrace_sig_table table = { 0 };
	const char *why = ftrace_sig_apart_check(data, size, &table);
	struct ftrace_signature sig;

	if (!why != !host)
		wrong("of a table apart, the kernel says: %s; the build tool says: %s",
		      why ? why : "in order", host ? host : "in order");
	if (ftrace_signatures_register(data, size))
		return;
	if (why)
		wrong("a table apart is registered, although %s", why);
	if (ftrace_signatures_register(data, size) != -EBUSY)
		wrong("a second table apart is registered");
	for (u32 i = 0; i < table.nr_sites; i++) {
		u32 at = ((u32 *)table.ips)[i];

		if (at >= 0x20000 || (at >= 0x10000 && at < 0x18000))
			wrong("a call site at %#x, where no text is", at);
		if (!ftrace_signature_find((unsigned long)_stext + at, &sig) ||
		    (void *)sig.proto != table.protos + table.sigs[i])
			wrong("call site %u at %#x is not found", i, at);
		ftrace_sig_shape((unsigned long)_stext + at);
	}
	use_protos(&table, data);
	ftrace_signatures_unregister();
	if (ftrace_signature_find((unsigned long)_stext, &sig))
		wrong("a table apart outlives its module");
}
#else
static void use_apart(void *data, size_t size) { }
#endif

static void use_table(const uint8_t *data, size_t size)
{
	struct ftrace_sig_table table = { 0 };
	void *copy = copy_of(data, size);
	const char *why;

	why = ftrace_sig_table_check(copy, size, &table);
	if (why)
		wrong("without what follows it the table is refused: %s", why);
	use_protos(&table, copy);
	host_print(copy, size);
	if (table.nr_sites <= 512)
		sort_sites(&table);
	free(copy);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	report_open();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ftrace_sig_table table = { 0 };
	void *copy = copy_of(data, size);
	const char *why, *host, *oracle;
	u32 table_size;

	noise = size;
	use_apart(copy, size);
	why = ftrace_sig_table_check(copy, size, &table);
	host = host_check(copy, size);
	if (!why != !host)
		wrong("the kernel says: %s; the build tool says: %s",
		      why ? why : "in order", host ? host : "in order");
	if (!why) {
		oracle = oracle_check(copy, size);
		if (oracle)
			wrong("the kernel accepts %s", oracle);
		table_size = ((struct ftrace_sig_header *)copy)->size;
		use_table(data, table_size);
		noise = table_size;
		load_module(copy, size);
	}
	free(copy);
	return 0;
}
