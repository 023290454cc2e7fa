// SPDX-License-Identifier: GPL-2.0
/* Strings and bytes: lengths, alignments, ends; included by ftrace-truth-pointers.c */

static __truth void truth_p_text(const char *text)
{
	char shown[TRUTH_SHOWN];

	truth_entered("text=%s", truth_expected ?: truth_string(shown, text));
	truth_returned("");
}

static __truth void truth_p_bytes(const void *data, size_t len)
{
	char shown[TRUTH_SHOWN], number[24];

	truth_entered("data=%s, len=%s", truth_bytes(shown, data, len),
		      truth_unsigned(number, len));
	truth_returned("");
}

static __truth void truth_p_octets(const u8 *buf, int count)
{
	char shown[TRUTH_SHOWN];

	truth_entered("buf=%s, count=%d", truth_bytes(shown, buf, count), count);
	truth_returned("");
}

/* Lengths of few bits: what stands above them in their words is anything */
static __truth void truth_p_few(const u8 *p, u8 len)
{
	char shown[TRUTH_SHOWN];

	truth_entered("p=%s, len=%u", truth_bytes(shown, p, len), len);
	truth_returned("");
}

static __truth void truth_p_more(const void *value, u16 value_size)
{
	char shown[TRUTH_SHOWN];

	truth_entered("value=%s, value_size=%u", truth_bytes(shown, value, value_size),
		      value_size);
	truth_returned("");
}

/* The size of something else: the name is as long as it is */
static __truth void truth_p_create(const char *name, unsigned int size)
{
	char shown[TRUTH_SHOWN];

	truth_entered("name=%s, size=%u", truth_string(shown, name), size);
	truth_returned("");
}

/* At most @len characters, which end at a NUL or without one */
static __truth void truth_p_bounded(const char *name, unsigned int len)
{
	char shown[TRUTH_SHOWN];

	truth_entered("name=%s, len=%u", truth_bytes(shown, name, strnlen(name, len)), len);
	truth_returned("");
}

static __truth const char *truth_p_find(const char *text, unsigned int at)
{
	const char *found = text ? text + at : ERR_PTR(-(long)at);
	char shown[TRUTH_SHOWN];

	truth_entered("text=%s, at=%u", truth_string(shown, text), at);
	truth_returned(" = %s", truth_string(shown, found));
	return found;
}

static char *truth_text_before_hole(const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(truth_last_page + PAGE_SIZE - size, text, size);
}

static void truth_expect_text(const char *text, const char *shown)
{
	truth_expected = shown;
	truth_p_text(text);
	truth_expected = NULL;
}

static void truth_run_lengths(void)
{
	static const unsigned int lengths[] = { 0, 1, 7, 8, 9, 62, 63, 64, 65, 66, 4096 };
	char *text = kmalloc(2 * PAGE_SIZE, GFP_KERNEL);
	unsigned int i, at;

	if (!text)
		return;
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		for (at = 0; at < 8; at++) {
			memset(text, '?', 2 * PAGE_SIZE);
			memset(text + at, 'a' + at, lengths[i]);
			text[at + lengths[i]] = 0;
			truth_p_text(text + at);
			truth_p_bytes(text + at, lengths[i]);
			truth_p_bounded(text + at, lengths[i]);
			truth_p_bounded(text + at, lengths[i] / 2);
			truth_p_bounded(text + at, lengths[i] + 1);
		}
	}
	kfree(text);
}

static void truth_run_escapes(void)
{
	static const char bytes[] = "\0\1\x7f\xff\t\n\"\\ ~";
	char on_stack[] = "on the stack";

	truth_p_text("in \"rodata\"\t\\\n");
	truth_p_text(on_stack);
	truth_p_text("\303\244\302\265");
	/* A NUL ends it, so it is a string, whatever its characters are */
	truth_p_text("\1\2\3");
	truth_p_bytes(bytes, sizeof(bytes));
	truth_p_octets(bytes, sizeof(bytes));
	truth_p_octets(bytes, 0);
	truth_p_octets(bytes, -1);
	truth_p_octets(bytes, INT_MIN);
	truth_p_octets(NULL, 4);
	truth_p_octets(ERR_PTR(-EINVAL), 4);
	truth_p_bytes(bytes, -1UL);
	truth_p_find("find this", 5);
	truth_p_find("find this", 9);
	truth_p_find(NULL, 0);
	truth_p_find(NULL, ENOENT);
}

/* Neither text nor ended by a NUL within the limit */
static void truth_run_no_text(void)
{
	char *bytes = kmalloc(2 * TRUTH_TEXT, GFP_KERNEL), shown[TRUTH_SHOWN];

	if (!bytes)
		return;
	memset(bytes, 1, 2 * TRUTH_TEXT);
	bytes[TRUTH_TEXT + 1] = 0;
	truth_expect_text(bytes, truth_address(shown, bytes));
	/* The NUL is the byte behind as many as are shown */
	bytes[TRUTH_TEXT] = 0;
	truth_p_text(bytes);
	kfree(bytes);
}

/* Text up to the end of a page, and beyond it */
static void truth_run_pages(void)
{
	char *pages = vmalloc(2 * PAGE_SIZE), shown[TRUTH_SHOWN];

	truth_p_text(truth_text_before_hole("the last bytes"));
	truth_last_page[PAGE_SIZE - 1] = '!';
	truth_expect_text(truth_last_page + PAGE_SIZE - 7, "\" bytes!\"... <fault>");
	truth_expect_text(truth_last_page + PAGE_SIZE,
			  truth_fault(shown, truth_last_page + PAGE_SIZE));
	if (!pages)
		return;
	memset(pages, 'p', 2 * PAGE_SIZE - 1);
	pages[2 * PAGE_SIZE - 1] = 0;
	truth_p_text(pages + PAGE_SIZE - 3);
	truth_p_bytes(pages + PAGE_SIZE - 30, 60);
	pages[PAGE_SIZE + 2] = 0;
	truth_p_text(pages + PAGE_SIZE - 3);
	vfree(pages);
}

static void truth_run_few(void)
{
	static const unsigned int lengths[] = { 0, 1, 64, 65, 200, 255, 256 + 3, 0x12340000 };
	char *text = kmalloc(2 * PAGE_SIZE, GFP_KERNEL);
	unsigned int i;

	if (!text)
		return;
	memset(text, 'f', 2 * PAGE_SIZE - 1);
	text[2 * PAGE_SIZE - 1] = 0;
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		truth_p_few(text, lengths[i]);
		truth_p_more(text, lengths[i]);
		truth_p_create("a name", lengths[i]);
	}
	kfree(text);
}

static void truth_run_strings(unsigned int unused)
{
	truth_run_few();
	truth_run_lengths();
	truth_run_escapes();
	truth_run_no_text();
	truth_run_pages();
}
