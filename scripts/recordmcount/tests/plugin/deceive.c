// SPDX-License-Identifier: GPL-2.0
/*
 * Functions written to deceive who reads in DWARF where a parameter arrives: most
 * assign to it as their first act, and the optimizer splits, replaces and removes.
 * Nothing of this is ever linked or run. What begins with "call" makes the optimizer
 * do so; all else is what the compiler's word is compared for.
 */
#include <stdbool.h>
#include <stddef.h>

#define noinline	__attribute__((noinline))

#ifdef __x86_64__
typedef __int128 wide;
#else
typedef long long wide;
#endif

extern long ext(long a, long b);
extern void sink(const void *p);
extern void *source(void);
extern long counter;

struct list { struct list *next; long value; int flags; };
struct two { long a, b; };
struct mixed { char c; short s; int i; void *p; };
struct big { long w[12]; };
struct empty { };
struct flags { unsigned int low : 3, high : 9; };
struct user_ptr { bool compat; union { const char *const *native; unsigned int *compat; } p; };
struct __attribute__((packed)) skew { char c; long l; };
struct __attribute__((aligned(16))) aligned { long l; };
union __attribute__((transparent_union)) either { struct list *list; struct two *two; long *l; };
typedef int (*callback)(int, long);

static inline __attribute__((always_inline)) void barrier(void)
{
	asm volatile("" : : : "memory");
}

/* The first act assigns to a parameter */

noinline long set_constant(long p, int z, int y)
{
	z = 5;
	barrier();
	return ext(p, y) + z + ext(z, 3);
}

static noinline long set_constant_copy(long p, int z, int y)
{
	z = 5;
	barrier();
	ext(p, y);
	return ext(z, 3) + p;
}

noinline long take_other(long a, long b, long c)
{
	a = b;
	ext(a, b);
	return ext(b, c) + a;
}

static noinline long take_other_copy(long a, long b, long c)
{
	a = b;
	ext(a, b);
	ext(b, c);
	return ext(a, c);
}

noinline long count_down(const char *s, int len)
{
	while (len-- > 1)
		ext(len, *s++);
	return len;
}

static noinline void count_down_copy(const char *s, int len)
{
	while (len-- > 1)
		ext(len, *s++);
}

static noinline void count_and_test(struct list *l, int maxn)
{
	while (maxn-- && l->flags & 1) {
		ext(l->value, 1);
		l = l->next;
	}
}

noinline long swap_them(long a, long b)
{
	long t = a;

	a = b;
	b = t;
	ext(a, b);
	return ext(b, a) + a;
}

static noinline long swap_copy(long a, long b, int unused)
{
	long t = a;

	a = b;
	b = t;
	ext(a, b);
	return ext(b, a) + a;
}

noinline long or_in(unsigned long addr, unsigned int gfp)
{
	gfp |= 0x100;
	ext(addr, gfp);
	return ext(gfp, addr);
}

static noinline long or_in_copy(unsigned long addr, unsigned int gfp)
{
	gfp |= 0x100;
	ext(addr, gfp);
	return ext(gfp, addr);
}

noinline long perhaps(long a, long b, int c)
{
	if (c)
		a = b;
	ext(a, c);
	return ext(b, a);
}

static noinline long perhaps_copy(long a, long b, int c)
{
	if (c > 3)
		b = 7;
	ext(a, c);
	return ext(b, a);
}

noinline long step(struct list *p, long x)
{
	p = p->next;
	ext(p->value, x);
	return ext(x, p->flags);
}

static noinline long step_copy(struct list *p, long x)
{
	p = p->next;
	ext((long)p, x);
	while (p && p->value != x)
		p = p->next;
	return ext((long)p, 2);
}

static noinline struct list *find_next(struct list *l, struct list *p)
{
	p = p->next;
	while (!p) {
		l = l->next;
		if (!l)
			break;
		p = source();
	}
	sink(l);
	return p;
}

/* What one points to is assigned to another: that is what callers pass in its stead */
static noinline long take_member(long n, struct list *l)
{
	n = l->value;
	while (n-- > 2)
		ext(n, 5);
	return ext(n, 6);
}

static noinline long take_pointer(struct two *t, struct user_ptr *u, long x)
{
	t = (void *)u->p.native;
	while (!t)
		t = source();
	sink(t);
	return ext(x, t->a);
}

static noinline long take_struct(struct two t, long a)
{
	a = t.b;
	while (a-- > 2)
		ext(a, 7);
	return ext(a, 8);
}

noinline int cast(struct list *w, struct two *in)
{
	w = (struct list *)in;
	barrier();
	ext(in->a, w->value);
	return ext(w->flags, 1);
}

static noinline int cast_copy(struct list *w, struct two *in, int flag)
{
	w = (struct list *)in;
	barrier();
	ext(in->a, w->value);
	return ext(w->flags, flag);
}

noinline long add_to_all(int a, char b, short c, unsigned char d, long e, long f, long g, char h)
{
	a += 1;
	b += 2;
	c = b;
	d ^= 4;
	g = e;
	h = 8;
	ext(a + b, c + d);
	return ext(e + f, g + h);
}

noinline long from_memory(long a, long b)
{
	a = counter;
	b = a;
	barrier();
	ext(a, b);
	return ext(a + 1, b);
}

noinline long set_on_stack(long a, long b, long c, long d, long e, long f, long g, long h)
{
	h = g;
	g = 3;
	sink(&g);
	ext(a + b, c + d);
	return ext(e + f, g + h);
}

static noinline long rotate(long a, long b, long c, long d, long e, long f, long g, long h)
{
	long t = a;

	a = b;
	b = c;
	c = d;
	d = e;
	e = f;
	f = g;
	g = h;
	h = t;
	ext(a, b);
	ext(c, d);
	ext(e, f);
	return ext(g, h) + a;
}

noinline void set_struct(struct two t, struct mixed m)
{
	t.a = t.b;
	m.p = &counter;
	ext(t.a, t.b);
	ext(m.c, m.s);
	sink(m.p);
}

noinline bool invert(bool b, int x)
{
	b = !b;
	ext(b, x);
	return b && ext(x, 2);
}

noinline long narrow(long long v, unsigned char low)
{
	low = v;
	v >>= 8;
	ext(v, low);
	return ext(low, v);
}

/* gcc gives up on tracking where much is going on; the entry must still be right */
noinline unsigned int walk(unsigned int type, void *root, unsigned int depth, callback down,
			   callback up, void *context, void **ret)
{
	if (!down || (!up && !root)) {
		depth = 0;
		type = depth;
	}
	for (; depth; depth--)
		if (down(type, (long)root) || up(depth, (long)context))
			break;
	if (ret)
		*ret = context;
	return type;
}

noinline unsigned int get(char *hid, callback user, void *context, void **ret)
{
	struct { char *hid; void *context; callback user; } info = { hid, context, user };

	if (!user)
		return 1;
	ext(3, 4);
	sink(&info);
	return walk(6, NULL, 100, user, NULL, &info, ret);
}

/* IPA-CP: constants; IPA-SRA: pieces and what is pointed to; what nobody wants */

static noinline long constants(int a, unsigned char b, bool c, long long d, short e, void *f,
			       unsigned long g)
{
	barrier();
	ext(a, b + c);
	ext(d, e);
	sink(f);
	return ext(g, 1);
}

static noinline long constant_string(const char *s, int len, callback f)
{
	while (len-- > 1)
		f(*s++, len);
	return ext(len, 1);
}

static noinline int in_pieces(struct two *t, struct user_ptr argv, int unused)
{
	if (argv.compat)
		ext(t->b, (long)argv.p.compat);
	sink(argv.p.native);
	return ext(t->a, 1);
}

static noinline void one_piece(struct big big, struct two t, struct mixed m)
{
	ext(t.b, m.i);
	ext(t.b, m.s);
}

static noinline void reversed(struct two t, long x)
{
	ext(t.b, x);
	t.b = x;
	ext(t.a, t.b);
}

static noinline int unwanted(int a, int b, long c)
{
	sink(&counter);
	ext(a, b);
	return ext(c, b) * 3;
}

static noinline struct two unwanted_pair(long a, const long *b)
{
	sink(&counter);
	ext(a, *b);
	return (struct two){ ext(*b, 1), a };
}

static noinline struct big unwanted_big(long a, struct two *b)
{
	struct big big = { { a } };

	sink(&counter);
	big.w[3] = ext(b->a, a);
	return big;
}

static noinline int always_zero(int a, struct list *l)
{
	ext(a, l->value);
	return 0;
}

static noinline long unused_constant(long a, int mode, long b)
{
	(void)mode;
	ext(a, b);
	return ext(b, a);
}

static noinline long recursive(struct list *l, int depth, int mode)
{
	if (!l || depth > 100)
		return mode;
	ext(l->value, mode);
	return recursive(l->next, depth + 1, mode) + 1;
}

static noinline int dereferenced(const int *a, const struct two *t, const bool *b)
{
	ext(*a, t->b);
	return ext(*b, 1) + *a;
}

/* Partial inlining, where leaving at once is usual, and the cold part of a function */

long part(struct list *l, long x, struct two t)
{
	if (__builtin_expect(!l, 1))
		return -22;
	ext(l->value, x);
	ext(l->flags, t.b);
	ext(x, 3);
	for (int i = 0; i < 9; i++)
		ext(i, l->value * x);
	return ext((long)l->next, 4);
}

long assigned_part(struct list *l, long x, int z)
{
	z = 5;
	if (__builtin_expect(!l, 1))
		return -22;
	ext(l->value, x);
	ext(l->flags, z);
	ext(x, z);
	for (int i = 0; i < 9; i++)
		ext(i, l->value * x + z);
	return ext((long)l->next, z);
}

long masked_part(struct list *l, long x, int z)
{
	z &= 4;
	if (__builtin_expect(z, 1))
		return -22;
	ext(l->value, x);
	ext(l->flags, z);
	ext(x, z);
	for (int i = 0; i < 9; i++)
		ext(i, l->value * x + z);
	return ext((long)l->next, z);
}

noinline long cold(long a, struct list *l)
{
	if (__builtin_expect(!l, 0)) {
		a = 3;
		sink(&a);
		ext(a, 1);
		__builtin_trap();
	}
	l = l->next;
	return ext(a, (long)l);
}

/* What has places of its own */

noinline struct big in_memory(int a, struct list *l)
{
	struct big big = { { a, l->value } };

	a = 7;
	sink(&big);
	big.w[1] = ext(a, 1);
	return big;
}

noinline struct two in_pair(int a, wide w, long b)
{
	w += a;
	ext(w, b);
	return (struct two){ a, b };
}

noinline wide returns_wide(char a, wide w, long b, wide v)
{
	w = v;
	return w + ext(a, b);
}

noinline struct empty returns_empty(int a, struct empty e, int b)
{
	ext(a, b);
	return e;
}

noinline struct flags returns_flags(struct flags f, int b)
{
	f.low = b;
	ext(f.high, b);
	return f;
}

noinline bool returns_bool(long a)
{
	return ext(a, 1);
}

noinline long sizes(struct skew s, struct aligned a, struct mixed m, struct big b, struct empty e,
		    struct flags f, struct user_ptr u, wide w, long last)
{
	f.low = 1;
	ext(s.c, s.l);
	ext(a.l, m.i);
	ext(b.w[4], f.low + w);
	return ext(u.compat, last);
}

noinline long many(char a, short b, int c, long d, long long e, bool f, void *g, wide h, char i,
		   struct two j, int k, struct mixed l, char m)
{
	ext(a + b, c + d);
	ext(e + f, (long)g);
	ext(h + i, j.a);
	return ext(k + l.c, m);
}

noinline int variadic(int a, long b, ...)
{
	__builtin_va_list args;
	int sum = 0;

	__builtin_va_start(args, b);
	while (a--)
		sum += __builtin_va_arg(args, int);
	__builtin_va_end(args);
	return sum + ext(a, b);
}

noinline long old_style(a, b, c)
	int a;
	char b;
	struct list *c;
{
	a = b;
	return ext(a, c->value);
}

noinline long transparent(union either e, int x)
{
	e.list = e.list->next;
	return ext(e.list->value, x);
}

noinline long array(int a[static 4], int f(int), long v)
{
	a++;
	return f(a[1]) + ext(v, *a);
}

noinline __attribute__((noreturn)) int never(int a, long b)
{
	a = b;
	ext(a, b);
	__builtin_trap();
}

noinline long nested(long a, long b)
{
	long total = 0;

	noinline void inner(long c, struct list *l)
	{
		c = b;
		total += ext(c, l->value);
	}

	inner(a, source());
	inner(b, source());
	return total;
}

#ifdef __x86_64__
noinline __attribute__((ms_abi)) long other_abi(struct list *a, long b, char c, struct two t,
						long e, int f)
{
	ext((long)a, b);
	ext(c, t.a);
	return ext(e, f);
}

noinline __attribute__((ms_abi)) long other_abi_set(long a, long b, long c, long d, long e)
{
	a = b;
	d = 4;
	ext(a, c);
	return ext(d, b + e);
}

noinline __attribute__((ms_abi)) struct two other_abi_struct(struct two a, long b)
{
	ext(a.a, b);
	return a;
}

noinline __attribute__((ms_abi)) void other_abi_unused(long a, long b)
{
	barrier();
}

static noinline __attribute__((ms_abi)) long other_abi_copy(long a, long b, struct two *t)
{
	ext(a, t->b);
	return ext(b, 2);
}
#else
noinline __attribute__((regparm(0))) long on_stack(int a, struct list *l, long long b, char c)
{
	a = c;
	l = l->next;
	ext(a, b);
	return ext(c, l->value);
}

noinline __attribute__((regparm(0))) long on_stack_unused(int a, long b)
{
	return counter;
}

noinline __attribute__((regparm(1))) long one_register(int a, int b, char c)
{
	b = a;
	ext(a, b);
	return ext(c, b);
}

noinline __attribute__((regparm(2))) long two_registers(long long a, int b, char c)
{
	b = c;
	ext(a, b);
	return ext(c, b);
}

noinline __attribute__((fastcall)) long fast(int a, int b, char c)
{
	a = b;
	ext(a, b);
	return ext(c, b);
}

noinline __attribute__((stdcall)) long standard(int a, int b, char c)
{
	b = 3;
	ext(a, b);
	return ext(c, b);
}

noinline __attribute__((thiscall)) long this_call(int a, int b, char c)
{
	c = 3;
	ext(a, b);
	return ext(c, b);
}

static noinline __attribute__((regparm(0))) long on_stack_copy(int a, struct two *t, int c)
{
	ext(a, t->b);
	return ext(c, a);
}
#endif

/* One body under several names */

noinline long folded_one(struct list *l, int x)
{
	x = l->flags;
	ext(l->value, x);
	return ext(x, 12);
}

noinline long folded_two(struct list *l, int x)
{
	x = l->flags;
	ext(l->value, x);
	return ext(x, 12);
}

static noinline long folded_three(struct two *t, int y)
{
	ext(t->a, y);
	return ext(y, 13);
}

static noinline long folded_four(struct two *t, int y)
{
	ext(t->a, y);
	return ext(y, 13);
}

noinline long aliased(int a, long b)
{
	a = b;
	ext(a, 2);
	return ext(b, a);
}

extern typeof(aliased) other_name __attribute__((alias("aliased")));

noinline __attribute__((weak)) long weak_one(int a, long b)
{
	a = 3;
	ext(a, 2);
	return ext(b, a);
}

void * const folded[] = { folded_three, folded_four };

/* The callers: each copy gets what is the same in all calls, or what they don't need */

void call_first_acts(long a, long b, struct list *l)
{
	set_constant_copy(a, 9, 4);
	set_constant_copy(b, 8, 4);
	take_other_copy(1, a, 3);
	take_other_copy(2, b, 3);
	count_down_copy((char *)l, 16);
	count_down_copy((char *)b, 16);
	count_and_test(l, 20);
	count_and_test(l->next, 20);
	swap_copy(a, 12, 1);
	swap_copy(b, 12, 2);
	or_in_copy(a, 0xcc0);
	or_in_copy(b, 0xcc0);
	perhaps_copy(a, 3, b);
	perhaps_copy(b, 3, a);
}

long call_steps(long a, long b, struct list *l, struct two *t)
{
	long sum;

	sum = step_copy(l, a) + step_copy(l->next, b);
	sum += (long)find_next(l, source());
	sum += (long)find_next(source(), l);
	sum += take_member(1, l) + take_member(2, source());
	sum += take_pointer(t, source(), a) + take_pointer(source(), source(), b);
	sum += take_struct(*t, a) + take_struct(t[1], b);
	sum += cast_copy(l, t, 3) + cast_copy(source(), t, 3);
	sum += rotate(1, a, 3, b, 5, 6, a, 8) + rotate(1, b, 3, a, 5, 6, b, 8);
	return sum;
}

void call_constants(long a, long b)
{
	constants(-5, 200, 1, -1LL << 40, -3, NULL, a);
	constants(-5, 200, 1, -1LL << 40, -3, NULL, b);
	constant_string("one", 4, (callback)ext);
	constant_string("one", 4, (callback)ext);
}

long call_pieces(struct two *t, struct user_ptr u, struct big *b, struct mixed *m)
{
	long sum = in_pieces(t, u, 1) + in_pieces(source(), u, 2);

	one_piece(*b, *t, *m);
	one_piece(*b, *(struct two *)source(), *m);
	reversed(*t, 3);
	reversed(*(struct two *)source(), 4);
	return sum;
}

long call_unwanted(long a, long b, struct list *l, struct two *t, bool *c)
{
	unwanted(a, 3, b);
	unwanted(b, 4, a);
	unwanted_pair(a, &b);
	unwanted_pair(b, &a);
	unwanted_big(a, t);
	unwanted_big(b, t);
	unused_constant(a, 3, b);
	unused_constant(b, 3, a);
	return always_zero(a, l) + always_zero(b, l) + recursive(l, 0, 4) + recursive(l, 1, 4) +
		dereferenced(&l->flags, t, c) + dereferenced(&l->next->flags, t, c);
}

long call_part(struct list *l, long x, struct two *t)
{
	return part(l, x, *t) + part(l->next, 3, *t) + part(source(), x, *t) +
		assigned_part(l, x, t->a) + assigned_part(l->next, 3, x) +
		assigned_part(source(), x, 9) + masked_part(l, x, t->a) +
		masked_part(l->next, 3, x) + masked_part(source(), x, 9);
}

#ifdef __x86_64__
long call_other_abi(struct two *t, long a)
{
	return other_abi_copy(3, a, t) + other_abi_copy(3, t->a, t + 1);
}
#else
long call_other_abi(struct two *t, long a)
{
	return on_stack_copy(a, t, 3) + on_stack_copy(t->a, t + 1, 3);
}
#endif
