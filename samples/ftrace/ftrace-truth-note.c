// SPDX-License-Identifier: GPL-2.0
/*
 * Taking notes: one line when a function is entered, one when it returns.
 * See ftrace-truth.h for the form of the lines.
 *
 * Safe in any context: a line gets its place by one atomic addition.
 */
#define TRUTH_LINES	12288
#define TRUTH_LINE_SIZE	1024

static char (*truth_lines)[TRUTH_LINE_SIZE];
static atomic_t truth_nr_lines;

/* Values that callers report for parameters that may not arrive */
static unsigned long truth_told[8];

/**
 * struct truth_line - a line that is being written
 * @text: where
 * @len: characters so far, always less than TRUTH_LINE_SIZE
 */
struct truth_line {
	char *text;
	size_t len;
};

static __printf(2, 3) notrace void truth_add(struct truth_line *line,
					     const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	line->len += vscnprintf(line->text + line->len,
				TRUTH_LINE_SIZE - line->len, fmt, args);
	va_end(args);
}

static notrace u64 truth_unsigned(const struct truth_value *v)
{
	u64 bits = 0;

	memcpy(&bits, v->data, min_t(size_t, v->size, sizeof(bits)));
	return bits;
}

static notrace s64 truth_signed(const struct truth_value *v)
{
	unsigned int unused = 64 - 8 * min(v->size, 8U);

	return (s64)(truth_unsigned(v) << unused) >> unused;
}

/* Returns the name with a minus in front, or NULL */
static notrace const char *truth_errno_name(s64 value, char *buf, size_t size)
{
	if (value >= 0 || value < -MAX_ERRNO)
		return NULL;
	snprintf(buf, size, "%pe", ERR_PTR(value));
	return buf[0] == '-' && buf[1] == 'E' ? buf : NULL;
}

static notrace void truth_add_signed(struct truth_line *line,
				     const struct truth_value *v)
{
	s64 value = truth_signed(v);
	char name[32];

	truth_add(line, "%lld", value);
	/* -1 is -EPERM only of functions that are known to return errnos: these are not */
	if (!v->name && value != -1 && truth_errno_name(value, name, sizeof(name)))
		truth_add(line, " (%s)", name);
}

static notrace void truth_add_unsigned(struct truth_line *line,
				       const struct truth_value *v)
{
	u64 value = truth_unsigned(v);

	truth_add(line, value >> 32 ? "0x%llx" : "%llu", value);
}

static notrace void truth_add_char(struct truth_line *line,
				   const struct truth_value *v)
{
	char c = *(const char *)v->data;

	if (c == '\'' || c == '\\')
		truth_add(line, "'\\%c'", c);
	else if (c >= ' ' && c <= '~')
		truth_add(line, "'%c'", c);
	else
		truth_add(line, "%d", c);
}

#ifdef __SIZEOF_INT128__
static notrace void truth_add_wide(struct truth_line *line,
				   const struct truth_value *v)
{
	unsigned __int128 value;

	memcpy(&value, v->data, sizeof(value));
	if (v->kind == TRUTH_WIDE && (__int128)value < 0) {
		truth_add(line, "-");
		value = -value;
	}
	if (value >> 64)
		truth_add(line, "0x%llx%016llx", (u64)(value >> 64), (u64)value);
	else
		truth_add(line, "0x%llx", (u64)value);
}
#else
static notrace void truth_add_wide(struct truth_line *line,
				   const struct truth_value *v)
{
}
#endif

static notrace void truth_add_enum(struct truth_line *line,
				   const struct truth_value *v)
{
	s64 value = v->of->is_signed ? truth_signed(v) : truth_unsigned(v);
	const struct truth_name *name;

	for (name = v->of->names; name->name; name++) {
		if (name->value == value) {
			truth_add(line, "%s", name->name);
			return;
		}
	}
	truth_add(line, v->of->is_signed ? "%lld" : "%llu", value);
}

/* The name alone, without an offset, stands for a function's first address */
static notrace void truth_add_function(struct truth_line *line, void *address)
{
	char name[KSYM_SYMBOL_LEN];

	snprintf(name, sizeof(name), "%pS", address);
	truth_add(line, strstr(name, "+0x0/") ? "%ps" : "%pS", address);
}

/* A data pointer in hexadecimal, a function's by name */
static notrace void truth_add_pointer(struct truth_line *line,
				      const struct truth_value *v)
{
	s64 value = truth_signed(v);
	char name[32];

	if (!value)
		truth_add(line, "NULL");
	else if (truth_errno_name(value, name, sizeof(name)))
		truth_add(line, "ERR_PTR(%s)", name);
	else if (value < 0 && value >= -MAX_ERRNO)
		truth_add(line, "ERR_PTR(%lld)", value);
	else if (v->kind == TRUTH_FUNCTION)
		truth_add_function(line, (void *)(unsigned long)value);
	else
		truth_add(line, "0x%llx", truth_unsigned(v));
}

static notrace void truth_add_gfp(struct truth_line *line,
				  const struct truth_value *v)
{
	gfp_t gfp = (__force gfp_t)truth_unsigned(v);

	if (gfp)
		truth_add(line, "%pGg", &gfp);
	else
		truth_add(line, "0");
}

static notrace void truth_add_mode(struct truth_line *line,
				   const struct truth_value *v)
{
	static const struct truth_name types[] = {
		{ "S_IFSOCK", S_IFSOCK }, { "S_IFLNK", S_IFLNK },
		{ "S_IFREG", S_IFREG }, { "S_IFBLK", S_IFBLK },
		{ "S_IFDIR", S_IFDIR }, { "S_IFCHR", S_IFCHR },
		{ "S_IFIFO", S_IFIFO }, { }
	};
	u64 mode = truth_unsigned(v);
	const struct truth_name *type;

	for (type = types; type->name; type++) {
		if ((mode & S_IFMT) == type->value) {
			truth_add(line, "%s|", type->name);
			mode &= ~S_IFMT;
			break;
		}
	}
	truth_add(line, "0%03llo", mode);
}

static notrace void truth_add_bytes(struct truth_line *line,
				    const struct truth_value *v)
{
	unsigned int at, n;
	unsigned long word;

	truth_add(line, "{");
	for (at = 0; at < v->size; at += n) {
		word = 0;
		n = min_t(unsigned int, v->size - at, sizeof(word));
		memcpy(&word, v->data + at, n);
		truth_add(line, "%s0x%lx", at ? ", " : "", word);
	}
	truth_add(line, "}");
}

static notrace void truth_add_value(struct truth_line *line,
				    const struct truth_value *v)
{
	switch (v->kind) {
	case TRUTH_SIGNED:
		truth_add_signed(line, v);
		break;
	case TRUTH_UNSIGNED:
		truth_add_unsigned(line, v);
		break;
	case TRUTH_BOOL:
		truth_add(line, truth_unsigned(v) ? "true" : "false");
		break;
	case TRUTH_CHAR:
		truth_add_char(line, v);
		break;
	case TRUTH_WIDE:
	case TRUTH_UWIDE:
		truth_add_wide(line, v);
		break;
	case TRUTH_ENUM:
		truth_add_enum(line, v);
		break;
	case TRUTH_POINTER:
	case TRUTH_FUNCTION:
		truth_add_pointer(line, v);
		break;
	case TRUTH_GFP:
		truth_add_gfp(line, v);
		break;
	case TRUTH_MODE:
		truth_add_mode(line, v);
		break;
	case TRUTH_DEV:
		truth_add(line, "%llu:%llu", truth_unsigned(v) >> 20,
			  truth_unsigned(v) & 0xfffff);
		break;
	case TRUTH_BYTES:
		truth_add_bytes(line, v);
		break;
	case TRUTH_MEMORY:
		truth_add(line, "{?}");
		break;
	case TRUTH_BEYOND:
		truth_add(line, "?");
		break;
	}
}

/* A line to write to, or false if there are no more */
static notrace bool truth_open_line(struct truth_line *line)
{
	int nr = atomic_inc_return(&truth_nr_lines) - 1;

	if (!truth_lines || nr >= TRUTH_LINES)
		return false;
	line->text = truth_lines[nr];
	line->len = 0;
	return true;
}

static notrace void truth_note_entry_from(unsigned long ip,
					  const struct truth_value *values,
					  unsigned int nr, bool variadic)
{
	struct truth_line line;
	unsigned int i;

	if (!truth_open_line(&line))
		return;

	truth_add(&line, "> %ps(", (void *)ip);
	for (i = 0; i < nr; i++) {
		truth_add(&line, "%s%s=", i ? ", " : "", values[i].name);
		truth_add_value(&line, &values[i]);
	}
	truth_add(&line, "%s)", variadic ? ", ..." : "");
}

static __truth_note void truth_note_entry(const struct truth_value *values,
					  unsigned int nr, bool variadic)
{
	truth_note_entry_from(_RET_IP_, values, nr, variadic);
}

static notrace void truth_note_return_from(unsigned long ip,
					   const struct truth_value *value)
{
	struct truth_line line;

	if (!truth_open_line(&line))
		return;

	truth_add(&line, "< %ps", (void *)ip);
	if (value) {
		truth_add(&line, " = ");
		truth_add_value(&line, value);
	}
}

static __truth_note void truth_note_return(const struct truth_value *value)
{
	truth_note_return_from(_RET_IP_, value);
}

/* Forget all notes, while nobody takes any.  -ENOMEM: there is no room */
static notrace int truth_clear(void)
{
	if (!truth_lines)
		truth_lines = vzalloc(array_size(TRUTH_LINES, TRUTH_LINE_SIZE));
	if (!truth_lines)
		return -ENOMEM;
	atomic_set(&truth_nr_lines, 0);
	return 0;
}
