// SPDX-License-Identifier: GPL-2.0
/*
 * The words that are passed to functions and make up their results.
 */

/*
 * Values at which printing changes: the ends of each width with and without
 * garbage above it, error numbers with and without a name, characters, types
 * of files, addresses of functions.
 */
static u64 truth_edges[] = {
	0, 1, 2, 9,
	-1ULL, -2ULL, -12ULL, -512ULL, -4000ULL, -4095ULL, -4096ULL,
	0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff,
	0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x1fffffffe,
	0x7fffffffffffffff, 0x8000000000000000,
	0xa5a5a5a5fffffffe, 0x5a5a5a5a5a5afffe, 0xc3c3c3c3c3c3c3fe,
	0xdeadbeefcafe0041, 0x3c3c3c3c3c3c3c27, 0x3c3c3c3c3c3c3c5c, 0x7e, 0x20,
	0x00000000000081a4, 0xffffffff000041ed, 0x1234567890abf9ff,
	0x0000000000000cc0, 0x0000000000400dc0,
	0x0000000000800011, 0xffffffff00000000,
	0, 0, 0, 0	/* will be addresses of functions, and within one */
};

/*
 * Whether something with a name may be at the address.  The image and the modules
 * are between these two, wherever KASLR puts them.
 */
static notrace bool truth_may_be_named(unsigned long address)
{
	return address >= __START_KERNEL_map && address < MODULES_END;
}

/*
 * Make an address of nothing of one that may have a name.  A variable has a name that
 * %ps shows and tracers do not.  On x86-32, a word is two addresses.
 */
static notrace u64 truth_nameless(u64 word)
{
	if (truth_may_be_named(word))
		word ^= BIT_ULL(31);
	if (BITS_PER_LONG == 32 && truth_may_be_named(word >> 32))
		word ^= BIT_ULL(63);
	return word;
}

/*
 * The addresses of functions are set at run time, because objtool requires addresses
 * in the image to be callable, and because a 32-bit address is no 64-bit constant.
 * No other edge may have a name.
 */
static notrace void truth_init_edges(void)
{
	u64 *functions = truth_edges + ARRAY_SIZE(truth_edges) - 4;
	unsigned long address = (unsigned long)schedule;
	u64 *edge;

	for (edge = truth_edges; edge < functions; edge++)
		*edge = truth_nameless(*edge);
	OPTIMIZER_HIDE_VAR(address);
	*edge++ = address;
	*edge++ = (unsigned long)TRUTH(nothing);
	*edge++ = (unsigned long)TRUTH(several);
	*edge = address + 4;
}

/* Words are edges in turn if this is not negative, else random */
static int truth_round = -1;
static struct rnd_state truth_random_state;

static notrace u64 truth_random(void)
{
	unsigned long flags;
	u64 word;

	local_irq_save(flags);
	word = (u64)prandom_u32_state(&truth_random_state) << 32;
	word |= prandom_u32_state(&truth_random_state);
	local_irq_restore(flags);
	return word;
}

/* From 0 to @end - 1 */
static notrace u32 truth_random_below(u32 end)
{
	return (u32)truth_random() % end;
}

/* Random, but with a good chance of each value that is printed specially */
static notrace u64 truth_random_kind(void)
{
	u64 word = truth_random();

	switch (truth_random_below(8)) {
	case 0:
		return word % 16;
	case 1:
		return -(u64)((u32)word % (MAX_ERRNO + 100));
	case 2:
		return (word << 32) | (u32)-((u32)word % 150);
	case 3:
		return (word & ~0xffffULL) | (u16)-((u32)word % 150);
	case 4:
		return (word & ~0xffULL) | word >> 57;
	case 5:
		return (u32)word;
	case 6:
		return truth_edges[(u32)word % ARRAY_SIZE(truth_edges)];
	default:
		return word;
	}
}

static notrace u64 truth_random_word(void)
{
	u64 word = truth_random_kind();
	unsigned int i;

	/* Addresses of functions are kept: they are to be shown by name */
	for (i = 0; i < ARRAY_SIZE(truth_edges); i++)
		if (word == truth_edges[i])
			return word;
	return truth_nameless(word);
}

/* The @nr-th word of a call or result.  Steps of 7 reach every edge */
static notrace u64 truth_word(unsigned int nr)
{
	if (truth_round < 0)
		return truth_random_word();
	return truth_edges[(truth_round + nr * 7) % ARRAY_SIZE(truth_edges)];
}

static __truth_note u64 truth_result_word(unsigned int nr)
{
	return truth_word(nr + 3);
}

static __truth_note void truth_result_fill(void *result, size_t size)
{
	unsigned int nr;
	size_t at, n;
	u64 word;

	for (nr = 0, at = 0; at < size; at += n, nr++) {
		word = truth_result_word(nr);
		n = min(size - at, sizeof(word));
		memcpy(result + at, &word, n);
	}
}
