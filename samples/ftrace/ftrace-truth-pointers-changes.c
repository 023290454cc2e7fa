// SPDX-License-Identifier: GPL-2.0
/*
 * What a call changes; included by ftrace-truth-pointers.c.  A call that calls no other is
 * one line of the trace, so its note has both, before and after.
 */

static __truth int truth_p_count(int *value)
{
	truth_entered("value=&{%d → %d}", *value, *value + 1);
	truth_returned(" = 0");
	++*value;
	return 0;
}

static __truth bool truth_p_look(int *value, struct truth_inner *inner)
{
	char shown[64];

	truth_entered("value=&%d, inner=%s", *value, truth_inner(shown, inner, 1));
	truth_returned(" = true");
	return true;
}

static __truth void truth_p_rename(char *name, const char *to)
{
	static char shown[3][TRUTH_SHOWN];

	truth_entered("name=%s → %s, to=%s", truth_string(shown[0], name),
		      truth_string(shown[1], to), truth_string(shown[2], to));
	truth_returned("");
	strscpy(name, to, TRUTH_TEXT);
}

static __truth void truth_p_move(struct truth_inner *inner, int by)
{
	char before[64], after[64];

	truth_inner(before, inner, 1);
	inner->first += by;
	truth_entered("inner=%s → %s, by=%d", before, truth_inner(after, inner, 1), by);
	truth_returned("");
}

/* Fills what the result says */
static __truth ssize_t truth_p_fill(void *buf, size_t size, ssize_t result)
{
	char shown[TRUTH_SHOWN];

	memset(buf, 'f', size);
	truth_entered("buf=%s, size=%zu, result=%zd", result <= 0 ? truth_address(shown, buf) :
		      truth_bytes(shown, buf, min_t(ssize_t, result, size)), size, result);
	if (result < 0)
		truth_returned(" = %zd (%pe)", result, ERR_PTR(result));
	else
		truth_returned(" = %zd", result);
	return result;
}

/* The same of an unsigned result, of which 0 says success */
static __truth u32 truth_p_fill_count(u8 *p, u16 len, u32 result)
{
	char shown[TRUTH_SHOWN];

	memset(p, 'c', len);
	truth_entered("p=%s, len=%u, result=%u",
		      truth_bytes(shown, p, result && result < len ? result : len), len, result);
	truth_returned(" = %u", result);
	return result;
}

/* What it returns is no number of bytes, but it may be an error */
static __truth void *truth_p_fill_pointer(void *to, u8 len, void *result)
{
	static char shown[2][TRUTH_SHOWN];
	const char *returned = truth_address(shown[0], result);

	memset(to, 'p', len);
	truth_entered("to=%s, len=%u, result=%s", IS_ERR(result) ? truth_address(shown[1], to) :
		      truth_bytes(shown[1], to, len), len, returned);
	truth_returned(" = %s", returned);
	return result;
}

/* At most @n characters, before and after: what is behind them is none of the string */
static __truth void truth_p_upper(char *page, unsigned int n, unsigned int at)
{
	static char shown[2][TRUTH_SHOWN];

	truth_bytes(shown[0], page, strnlen(page, n));
	page[at] -= 'a' - 'A';
	truth_bytes(shown[1], page, strnlen(page, n));
	if (at < n)
		truth_entered("page=%s → %s, n=%u, at=%u", shown[0], shown[1], n, at);
	else
		truth_entered("page=%s, n=%u, at=%u", shown[0], n, at);
	truth_returned("");
}

static void truth_run_upper(char *text)
{
	strscpy(text, "abcdef", TRUTH_TEXT);
	truth_p_upper(text, 4, 0);
	truth_p_upper(text, 4, 3);
	truth_p_upper(text, 4, 4);
	truth_p_upper(text, 100, 4);
	truth_p_upper(text, 0, 5);
}

/* Fills all, and returns an errno or 0 */
static __truth int truth_p_fill_all(u8 *buffer, unsigned int count, u8 with)
{
	char shown[TRUTH_SHOWN];
	bool same = !memchr_inv(buffer, with, count);

	memset(buffer, with, count);
	truth_entered("buffer=%s, count=%u, with=%u", same ? truth_address(shown, buffer) :
		      truth_bytes(shown, buffer, count), count, with);
	truth_returned(" = 0");
	return 0;
}

/* The memory is gone when it returns */
static __truth void truth_p_free(char *text, int *value)
{
	char shown[TRUTH_SHOWN];

	truth_entered("text=%s → <fault>, value=&%d → <fault>", truth_string(shown, text),
		      *value);
	truth_returned("");
	vfree(text);
	vfree(value);
}

/* The pointer's own memory is allocated by the call */
static __truth int truth_p_allocate(char **text)
{
	static char shown[2][TRUTH_SHOWN];
	char *made = kstrdup("made", GFP_KERNEL);

	truth_entered("text=&{%s → %s}", truth_address(shown[0], *text),
		      truth_address(shown[1], made));
	truth_returned(" = 0");
	*text = made;
	return 0;
}

/* Calls itself: each call's change is shown at its own return */
static __truth int truth_p_recurse(int *value, unsigned int depth)
{
	int before = *value;

	truth_entered("value=&%d, depth=%u", before, depth);
	if (depth)
		truth_p_recurse(value, depth - 1);
	else
		truth_p_count(value);
	++*value;
	truth_returned(" = %u; value=&{%d → %d}", depth, before, *value);
	return depth;
}

static void truth_run_freed(void)
{
	char *text = vmalloc(PAGE_SIZE);
	int *value = vmalloc(PAGE_SIZE);

	if (text && value) {
		strscpy(text, "freed", PAGE_SIZE);
		*value = 4;
		truth_p_free(text, value);
	}
}

/* It never looks at what cannot be read, before or after */
static __truth void truth_p_unreadable(char *text, int *value, struct truth_outer *outer,
				       void *buf, size_t size)
{
	static char shown[2][TRUTH_SHOWN];

	truth_fault(shown[0], text);
	truth_entered("text=%s, value=%s, outer=%s, buf=%s, size=%zu", shown[0], shown[0],
		      shown[0], truth_address(shown[1], buf), size);
	truth_returned("");
}

/* The rest of the string cannot be read, and its first character changes, or does not */
static __truth void truth_p_tail(char *text, char to)
{
	char before = *text;

	*text = to;
	if (before == to)
		truth_entered("text=\"%cail\"... <fault>, to='%c'", before, to);
	else
		truth_entered("text=\"%cail\"... <fault> → \"%cail\"... <fault>, to='%c'", before,
			      to, to);
	truth_returned("");
}

static void truth_run_unreadable(void)
{
	char *text = truth_last_page + PAGE_SIZE - 4, *end = truth_last_page + PAGE_SIZE;

	truth_p_unreadable(end, (int *)end, (struct truth_outer *)end, end, 8);
	memcpy(text, "tail", 4);
	truth_p_tail(text, 't');
	truth_p_tail(text, 'T');
}

/* One character behind what is shown of the string */
static __truth void truth_p_edit(char *text, unsigned int at, char to)
{
	char shown[TRUTH_SHOWN];

	text[at] = to;
	truth_entered("text=%s → ..., at=%u, to='%c'", truth_string(shown, text), at, to);
	truth_returned("");
}

/* More than is compared: nothing is said of what is behind that */
static __truth void truth_p_trust(char *text, u8 *buffer, unsigned int count)
{
	static char shown[2][TRUTH_SHOWN];

	truth_entered("text=%s → ?, buffer=%s → ?, count=%u", truth_string(shown[0], text),
		      truth_address(shown[1], buffer), count);
	truth_returned("");
}

static void truth_run_long(char *text, unsigned int size)
{
	memset(text, 'l', size - 1);
	text[size - 1] = 0;
	truth_p_trust(text, text, size);
	text[1024] = 0;
	truth_p_edit(text, 1023, 'e');
	text[100] = 0;
	truth_p_edit(text, 80, 'e');
	truth_p_edit(text, 64, 'e');
}

/* A structure that is filled, and is not small */
struct truth_names {
	char system[65];
	char node[65];
	char release[65];
	char version[65];
	char machine[65];
};

static __truth int truth_p_names(struct truth_names *names, char last)
{
	static const char same[] = "system=\"\", node=\"\", release=\"\", version=\"\"";

	truth_entered("names={%s, machine=\"\"} → {%s, machine=\"%c\"}, last='%c'", same, same,
		      last, last);
	truth_returned(" = 0");
	names->machine[0] = last;
	return 0;
}

/* Many pointers: each is followed, and compared */
static __truth void truth_p_several(int *a, int *b, const int *c, int *d, int *e, int *f,
				    int *g)
{
	truth_entered("a=&{%d → 0}, b=&%d, c=&%d, d=&%d, e=&{%d → 0}, f=&%d, g=&{%d → 0}",
		      *a, *b, *c, *d, *e, *f, *g);
	truth_returned("");
	*a = 0;
	*e = 0;
	*g = 0;
}

static void truth_run_several(void)
{
	int of[7] = { 1, 2, 3, 4, 5, 6, 7 };

	truth_p_several(&of[0], &of[1], &of[2], &of[3], &of[4], &of[5], &of[6]);
}

#ifdef CONFIG_FTRACE_SIGNATURES_FORMS
static __truth void truth_p_add(struct list_head *new, struct list_head *head)
{
	char in_new[64], in_head[64];

	snprintf(in_new, sizeof(in_new), "{next=0x%lx, prev=0x%lx}", (long)head, (long)head);
	snprintf(in_head, sizeof(in_head), "{next=0x%lx, prev=0x%lx}", (long)new, (long)new);
	truth_entered("new={next=NULL, prev=NULL} → %s, head={empty} → %s", in_new, in_head);
	truth_returned("");
	list_add(new, head);
}

/*
 * An address that is no longer than it says: what stands behind it is none of it.  The
 * compiler must think that it is read, or it would not be written before the call.
 */
static __truth int truth_p_bind(struct sockaddr *uaddr, int addr_len)
{
	barrier_data(uaddr);
	truth_entered("uaddr=%s, addr_len=%d", truth_expected, addr_len);
	truth_returned(" = 0");
	return 0;
}

static void truth_run_binds(void)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/run/behind" };
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(80) };

	truth_expected = "{AF_UNIX}";
	truth_p_bind((struct sockaddr *)&un, 2);
	truth_expected = "{AF_UNIX, \"/run\"}";
	truth_p_bind((struct sockaddr *)&un, 2 + 4);
	truth_expected = "{0 bytes}";
	truth_p_bind((struct sockaddr *)&un, -1);
	memcpy(un.sun_path, "\0name", 5);
	truth_expected = "{AF_UNIX, @\"name\"}";
	truth_p_bind((struct sockaddr *)&un, 2 + 5);
	truth_expected = "{AF_INET, 4 bytes}";
	truth_p_bind((struct sockaddr *)&in, 4);
	truth_expected = "{AF_INET, 0.0.0.0:80}";
	truth_p_bind((struct sockaddr *)&in, sizeof(in));
	truth_expected = NULL;
}

/* An address that is given, with its length, or with as much of it as there is room for */
static __truth int truth_p_accept(struct sockaddr *peer, int *peer_len)
{
	const struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/run/peer" };

	barrier_data(peer);
	truth_entered("peer={AF_INET, 4 bytes} → {AF_UNIX, \"/run/peer\"}, peer_len=&{%d → %d}",
		      *peer_len, 2 + 10);
	truth_returned(" = 0");
	memcpy(peer, &un, 2 + 10);
	*peer_len = 2 + 10;
	return 0;
}

/* The length of what is given is the result */
static __truth int truth_p_getname(struct sockaddr *uaddr, int peer)
{
	static const char given[] = "\1\0\0abstract";

	barrier_data(uaddr);
	truth_entered("uaddr={AF_UNIX, \"/run/behind\"} → {AF_UNIX, @\"abstract\"}, peer=%d",
		      peer);
	truth_returned(" = %d", 2 + 9);
	memcpy(uaddr, given, 2 + 9);
	return 2 + 9;
}

static void truth_run_addresses_given(void)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/run/behind" };
	struct sockaddr_storage room = { .ss_family = AF_INET };
	int length = 4;

	truth_p_getname((struct sockaddr *)&un, 1);
	truth_p_accept((struct sockaddr *)&room, &length);
}

static void truth_run_forms(void)
{
	struct list_head head = LIST_HEAD_INIT(head), new = {};

	truth_p_add(&new, &head);
	truth_run_binds();
	truth_run_addresses_given();
}
#else
static void truth_run_forms(void)
{
}
#endif

static void truth_run_fills(char *buffer)
{
	static const ssize_t results[] = { 0, 1, 10, 64, 65, 100, 1000, -EIO };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(results); i++) {
		memset(buffer, '-', 100);
		truth_p_fill(buffer, 100, results[i]);
	}
	for (i = 0; i < ARRAY_SIZE(results) - 1; i++) {
		memset(buffer, '-', 100);
		truth_p_fill_count(buffer, 100, results[i]);
	}
	memset(buffer, '-', 100);
	truth_p_fill_pointer(buffer, 10, NULL);
	truth_p_fill_pointer(buffer, 20, buffer);
	truth_p_fill_pointer(buffer, 30, ERR_PTR(-EIO));
	truth_p_fill_all(buffer, 100, 'a');
	truth_p_fill_all(buffer, 100, 'a');
	truth_p_fill_all(buffer, 10, 'b');
}

static void truth_run_changes(unsigned int unused)
{
	struct truth_inner inner = { 1, 2 };
	struct truth_names *names = kzalloc(sizeof(*names), GFP_KERNEL);
	char *buffer = kmalloc(4096, GFP_KERNEL);
	char *made = NULL;
	int number = 40;

	truth_depth = 1;
	truth_p_count(&number);
	truth_p_look(&number, &inner);
	truth_p_move(&inner, 5);
	truth_p_recurse(&number, 3);
	truth_p_allocate(&made);
	kfree(made);
	truth_run_freed();
	truth_run_unreadable();
	truth_run_several();
	truth_run_forms();
	if (names)
		truth_p_names(names, 'm');
	kfree(names);
	if (!buffer)
		return;
	strscpy(buffer, "old", TRUTH_TEXT);
	truth_p_rename(buffer, "new");
	truth_p_rename(buffer, "");
	truth_p_rename(buffer, "longer than before");
	truth_run_upper(buffer);
	truth_run_fills(buffer);
	truth_run_long(buffer, 4096);
	kfree(buffer);
}
