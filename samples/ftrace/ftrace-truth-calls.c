// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that call functions as any code does: nested, recursively, from
 * interrupts, and functions of which the optimizer makes clones.
 */

struct truth_thing {
	long first;
	int second;
	struct truth_thing *next;
};

static __truth int TRUTH(leaf)(int a)
{
	truth_in(SINT(a));
	return truth_result(int, TRUTH_SIGNED);
}

static __truth long TRUTH(middle)(s16 a, const char *name)
{
	long sum;

	truth_in(SINT(a), PTR(name));
	sum = TRUTH(leaf)(a + 1);
	sum -= TRUTH(leaf)(-a);
	return truth_out_value(sum, TRUTH_SIGNED);
}

static __truth void TRUTH(outer)(u8 a, struct truth_12 b)
{
	truth_in(UINT(a), BYTES(b));
	TRUTH(middle)(a, "outer");
	TRUTH(pair)(b, a, (union truth_union) { .c = a });
	TRUTH(nothing)();
	TRUTH(middle)(b.a[1], NULL);
	truth_out();
}

static __truth u64 TRUTH(recursive)(unsigned int depth, u64 sum)
{
	u64 result;

	truth_in(UINT(depth), UINT(sum));
	result = sum * 3;
	if (depth)
		result += TRUTH(recursive)(depth - 1, result);
	return truth_out_value(result, TRUTH_UNSIGNED);
}

/* Error pointers as parameters and results */
static __truth struct truth_thing *TRUTH(find)(struct truth_thing *thing, int n)
{
	struct truth_thing *result = thing;

	truth_in(PTR(thing), SINT(n));
	if (!IS_ERR_OR_NULL(thing) && n)
		result = TRUTH(find)(n > 0 ? thing->next : ERR_PTR(n), n - 1);
	return truth_out_value(result, TRUTH_POINTER);
}

/*
 * Note copies of parameters whose address must not be taken, because gcc would
 * not optimize the function as intended otherwise.
 */
static __always_inline void truth_in_number(int a)
{
	truth_in(SINT(a));
}

/*
 * Ends in a jump to another function, unless the kernel keeps frames.  So the
 * caller notes the result.
 */
static __truth int TRUTH(tail)(int a)
{
	truth_in_number(a);
	return TRUTH(leaf)(a / 2);
}

static notrace void truth_drive_tail(int a)
{
	int result = TRUTH(tail)(a);
	const struct truth_value value = {
		.data = &result, .size = sizeof(result), .kind = TRUTH_SIGNED,
	};

	truth_note_return_from((unsigned long)TRUTH(tail), &value);
}

/*
 * Two functions with the same code and signature: gcc keeps one of them and
 * makes the other a jump to it (identical code folding), unless told not to.
 * Their code must be simple, so another function takes the notes for them.
 */
int TRUTH(twin)(u8 a, long b);
int TRUTH(other_twin)(u8 a, long b);

static unsigned long truth_twin_ran;

static __truth_note int truth_note_twin(u8 a, long b)
{
	const struct truth_value params[] = { UINT(a), SINT(b) };
	int result = truth_result_word(0);
	const struct truth_value value = {
		.data = &result, .size = sizeof(result), .kind = TRUTH_SIGNED,
	};

	truth_twin_ran = _RET_IP_;
	truth_note_entry_from(_RET_IP_, params, ARRAY_SIZE(params), false);
	truth_note_return_from(_RET_IP_, &value);
	return result;
}

/* Enough code that gcc makes a jump and not a copy */
static __always_inline int truth_twin_code(u8 a, long b)
{
	int result = truth_note_twin(a, b);
	unsigned int i;

	for (i = 4; i < ARRAY_SIZE(truth_told); i++) {
		if (truth_told[i] & 1)
			truth_told[i] = truth_told[i] / 3 + a;
		else
			truth_told[i] += b;
		if (truth_told[i] > 1000)
			truth_told[i] -= truth_result_word(i);
		else
			truth_told[i] ^= truth_result_word(i + 1);
	}
	return result;
}

int TRUTH(twin)(u8 a, long b)
{
	return truth_twin_code(a, b);
}

int TRUTH(other_twin)(u8 a, long b)
{
	return truth_twin_code(a, b);
}

/* @folded: it is only a jump to the other twin, and cannot take notes */
static struct truth_twin {
	int (*call)(u8 a, long b);
	bool folded;
} truth_twins[] = {
	{ TRUTH(twin) },
	{ TRUTH(other_twin) },
};

/* Whether the twin that has just run was only a jump to the other */
static notrace bool truth_twin_is_folded(const struct truth_twin *twin)
{
	char ran[64], name[64];

	snprintf(ran, sizeof(ran), "%ps", (void *)truth_twin_ran);
	snprintf(name, sizeof(name), "%ps", twin->call);
	return strcmp(ran, name);
}

/* Must be called before notes can be taken */
static notrace void truth_init_twins(void)
{
	struct truth_twin *twin;

	for (twin = truth_twins; twin < truth_twins + ARRAY_SIZE(truth_twins); twin++) {
		twin->call(0, 0);
		twin->folded = truth_twin_is_folded(twin);
	}
}

/* The caller of a folded twin takes the notes for it */
static notrace void truth_drive_twin(const struct truth_twin *twin, u8 a, long b)
{
	const struct truth_value params[] = { UINT(a), SINT(b) };
	int result;
	const struct truth_value value = {
		.data = &result, .size = sizeof(result), .kind = TRUTH_SIGNED,
	};

	if (twin->folded)
		truth_note_entry_from((unsigned long)twin->call, params,
				      ARRAY_SIZE(params), false);
	result = twin->call(a, b);
	if (twin->folded)
		truth_note_return_from((unsigned long)twin->call, &value);
}

static notrace void truth_drive_nested(void)
{
	struct truth_thing things[] = {
		{ .next = &things[1] }, { .next = &things[2] },
		{ .next = ERR_PTR(-EXDEV) },
	};
	struct truth_12 b;

	truth_result_fill(&b, sizeof(b));
	TRUTH(outer)(truth_random_word(), b);
	TRUTH(recursive)(truth_random_below(12), truth_random_word());
	TRUTH(find)(things, truth_random_below(5));
	TRUTH(find)(things + 2, -(int)truth_random_below(4));
	truth_drive_tail(truth_random_word());
	truth_drive_twin(&truth_twins[0], truth_random(), truth_random_word());
	truth_drive_twin(&truth_twins[1], truth_random(), truth_random_word());
}

/* Called from interrupts as well as by the task that they interrupt */

static __truth int TRUTH(context)(bool hardirq, bool softirq, int a)
{
	truth_in(BOOL(hardirq), BOOL(softirq), SINT(a));
	return truth_result(int, TRUTH_SIGNED);
}

static notrace void truth_drive_context(void)
{
	struct truth_12 b;

	truth_result_fill(&b, sizeof(b));
	TRUTH(context)(in_hardirq(), in_serving_softirq(), truth_random_word());
	TRUTH(outer)(truth_random_word(), b);
}

/* Set by the interrupt after its last note, cleared by the function that waits */
static bool truth_interrupt_done;

static notrace void truth_hardirq(struct irq_work *work)
{
	truth_drive_context();
	/* Pairs with truth_wait_for_interrupt() */
	smp_store_release(&truth_interrupt_done, true);
}

static notrace void truth_softirq(struct tasklet_struct *tasklet)
{
	truth_drive_context();
	/* Pairs with truth_wait_for_interrupt() */
	smp_store_release(&truth_interrupt_done, true);
}

static struct irq_work truth_irq_work = IRQ_WORK_INIT_HARD(truth_hardirq);
static DECLARE_TASKLET(truth_tasklet, truth_softirq);

static notrace void truth_wait_for_interrupt(void)
{
	/* Pairs with truth_hardirq() and truth_softirq() */
	while (!smp_load_acquire(&truth_interrupt_done))
		cpu_relax();
	truth_interrupt_done = false;
}

static __truth int TRUTH(interrupted)(long a, u8 b)
{
	truth_in(SINT(a), UINT(b));
	irq_work_queue(&truth_irq_work);
	truth_wait_for_interrupt();
	return truth_result(int, TRUTH_SIGNED);
}

static __truth bool TRUTH(interrupted_softly)(u16 a)
{
	truth_in(UINT(a));
	local_bh_disable();
	tasklet_schedule(&truth_tasklet);
	local_bh_enable();
	truth_wait_for_interrupt();
	return truth_result(bool, TRUTH_BOOL);
}

static notrace void truth_drive_irq(void)
{
	truth_drive_context();
	TRUTH(interrupted)(truth_random_word(), truth_random_word());
	TRUTH(interrupted_softly)(truth_random_word());
}

/*
 * Clones.  These functions lack the attribute that forbids clones, and their
 * calls give gcc at -O2 a reason to make one.
 */

static long truth_sink;

static __always_inline void truth_in_constant(int a, int k, unsigned long b,
					      void *p)
{
	truth_in(SINT(a), SINT(k), UINT(b), PTR(p));
}

/* @k is 7 and @p is NULL in all calls: constprop removes both */
static noinline int TRUTH(constant)(int a, int k, unsigned long b, void *p)
{
	truth_in_constant(a, k, b, p);
	return truth_result(int, TRUTH_SIGNED);
}

static __always_inline void truth_in_constant_enum(enum truth_level level,
						   bool on, const char *name,
						   u16 n)
{
	truth_in(ENUM(level, truth_levels), BOOL(on), PTR(name), UINT(n));
}

static noinline enum truth_level
TRUTH(constant_enum)(enum truth_level level, bool on, const char *name, u16 n)
{
	truth_in_constant_enum(level, on, name, n);
	return truth_result_enum(enum truth_level, truth_levels);
}

/* @unused is removed, and @b arrives in its register */
static noinline long TRUTH(unused)(int a, long unused, long b)
{
	truth_in(SINT(a), TOLD(unused, 0, long, TRUTH_SIGNED), SINT(b));
	return truth_result(long, TRUTH_SIGNED);
}

/* Only what @thing points to is needed: isra passes that instead */
static noinline long TRUTH(split)(const struct truth_thing *thing, int a)
{
	long first = thing->first;
	int second = thing->second;

	truth_in(TOLD(thing, 1, void *, TRUTH_POINTER), SINT(a));
	return truth_out_value(first - second, TRUTH_SIGNED);
}

/* No caller uses the result: isra makes this a void function */
static noinline int TRUTH(ignored)(int a, long b)
{
	truth_in(SINT(a), SINT(b));
	return truth_out_value(a * 3, TRUTH_SIGNED);
}

static __always_inline void truth_in_thing(struct truth_thing *thing, int a)
{
	truth_in(PTR(thing), SINT(a));
}

/* The test is inlined into the callers; the rest becomes a function, the part */
static long TRUTH(partial)(struct truth_thing *thing, int a)
{
	if (likely(!thing))
		return -EINVAL;

	truth_in_thing(thing, a);
	thing->first += a;
	thing->second ^= TRUTH(leaf)(thing->first);
	thing->first -= TRUTH(leaf)(thing->second);
	thing->second ^= TRUTH(leaf)(thing->first);
	return truth_out_value(thing->first, TRUTH_SIGNED);
}

static __truth_note void truth_drive_constants(int a, unsigned long b)
{
	truth_sink += TRUTH(constant)(a, 7, b, NULL);
	truth_sink += TRUTH(constant)(b, 7, a, NULL);
	truth_sink += TRUTH(constant_enum)(TRUTH_HIGH, true, (char *)b, a);
	truth_sink += TRUTH(constant_enum)(TRUTH_HIGH, true, NULL, b);
}

static __truth_note void truth_drive_unused(int a, long b)
{
	struct truth_thing thing = { .first = b, .second = a };

	truth_told[0] = b + 1;
	truth_sink += TRUTH(unused)(a, b + 1, b);
	truth_told[0] = a;
	truth_sink += TRUTH(unused)(b, a, b - 1);

	truth_told[1] = (unsigned long)&thing;
	barrier_data(&thing);
	truth_sink += TRUTH(split)(&thing, a);
	truth_sink += TRUTH(split)(&thing, b);

	TRUTH(ignored)(a, b);
	TRUTH(ignored)(b, a);
}

static __truth_note long truth_drive_partial(struct truth_thing *thing, int a)
{
	return TRUTH(partial)(thing, a);
}

static __truth_note long truth_drive_partial_again(struct truth_thing *thing)
{
	return TRUTH(partial)(thing->next, thing->second);
}

static notrace void truth_drive_clones(void)
{
	struct truth_thing other = { .first = truth_random() };
	struct truth_thing thing = {
		.first = truth_random(), .second = truth_random(), .next = &other,
	};
	/* Without a part, the whole function is called with NULL and notes nothing */
	bool null = !IS_ENABLED(CONFIG_FTRACE_SIGNATURES_NO_CLONES) &&
		    truth_random() & 1;

	truth_drive_constants(truth_random_word(), truth_random_word());
	truth_drive_unused(truth_random_word(), truth_random_word());
	truth_sink += truth_drive_partial(&thing, truth_random_word());
	truth_sink += truth_drive_partial_again(&thing);
	truth_sink += truth_drive_partial(null ? NULL : &other, 1);
}
