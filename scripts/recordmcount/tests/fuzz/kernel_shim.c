// SPDX-License-Identifier: GPL-2.0
/* See kernel_shim.h. */
#include "kernel_shim.h"
#include "shim_names.h"

#include "../../../../kernel/trace/trace_func_text.h"
#include "../../../../kernel/trace/trace_signature.h"

/* As the linker script has it: text, and behind it that of initialization */
char shim_image[0x20000];
__asm__(".globl _stext, _etext, _sinittext, _einittext\n"
	".set _stext, shim_image\n"
	".set _etext, shim_image + 0x10000\n"
	".set _sinittext, shim_image + 0x18000\n"
	".set _einittext, shim_image + 0x20000\n");

char __start_ftrace_signatures[1], __stop_ftrace_signatures[1];
const char __start_notes[1], __stop_notes[1];

/* This image's ID has a zero in each byte, as that of a table in a test may */
int build_id_parse_buf(const void *notes, u8 *id, u32 size)
{
	memset(id, 0, BUILD_ID_SIZE_MAX);
	return 0;
}

u32 crc32_le(u32 crc, const void *data, size_t size)
{
	const u8 *p = data;

	while (size--) {
		crc ^= *p++;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return crc;
}

/* Digits alone, a sign in front and a line's end behind them, as the kernel's takes them */
int kstrtouint(const char *text, unsigned int base, unsigned int *value)
{
	unsigned long long found;
	char *end;

	text += *text == '+';
	if (!isdigit(*text))
		return -EINVAL;
	errno = 0;
	found = strtoull(text, &end, base);
	end += *end == '\n';
	if (*end)
		return -EINVAL;
	if (errno || found > UINT32_MAX)
		return -ERANGE;
	*value = found;
	return 0;
}

ssize_t strscpy(char *to, const char *from, size_t size)
{
	size_t length = strnlen(from, size);

	if (!size)
		return -E2BIG;
	if (length == size) {
		memcpy(to, from, size - 1);
		to[size - 1] = 0;
		return -E2BIG;
	}
	memcpy(to, from, length + 1);
	return length;
}

/* By the caller's swap function alone, which may care for places */
void sort_r(void *base, size_t nr, size_t size, cmp_r_func_t compare,
	    swap_r_func_t swap_two, const void *priv)
{
	char *first = base;

	for (size_t i = 1; i < nr; i++)
		for (size_t j = i; j; j--) {
			char *at = first + j * size;

			if (compare(at - size, at, priv) <= 0)
				break;
			swap_two(at - size, at, size, priv);
		}
}

bool is_kernel_text(unsigned long address)
{
	return shim_name_of(address) == NAME_TEXT;
}

bool is_kernel_inittext(unsigned long address)
{
	return shim_name_of(address) == NAME_INIT;
}

bool is_module_text_address(unsigned long address)
{
	return shim_name_of(address) == NAME_MODULE;
}

int kallsyms_lookup_size_offset(unsigned long address, unsigned long *size,
				unsigned long *offset)
{
	*size = 4;
	*offset = shim_offset_of(address);
	return 1;
}

const char *kallsyms_lookup(unsigned long address, unsigned long *size, unsigned long *offset,
			    char **module, char *name)
{
	return NULL;
}

/* Nothing is remembered of any address */
struct trace_func_text *trace_func_text_find(unsigned long address)
{
	return NULL;
}

bool trace_func_text_pointer(struct trace_seq *s, unsigned long address)
{
	return false;
}

const char *errname(int err)
{
	static char name[16];

	/* Most have a name, some have not */
	if (err < 0)
		err = -err;
	if (!shim_errno_has_name(err))
		return NULL;
	snprintf(name, sizeof(name), "-E%d", err);
	return name;
}

/* All events are of the present code here */
unsigned long shim_stack[THREAD_SIZE / sizeof(unsigned long)];

bool trace_sig_is_current(const struct trace_iterator *iter, unsigned long ip)
{
	return true;
}

unsigned int trace_sig_symbols(const struct trace_iterator *iter)
{
	return 0;
}

void trace_seq_init(struct trace_seq *s)
{
	s->seq.size = sizeof(s->buffer);
	s->seq.len = 0;
	s->full = 0;
}

static void put(struct trace_seq *s, const char *text, size_t len)
{
	if (s->full)
		return;
	if (len >= seq_buf_buffer_left(&s->seq)) {
		s->full = 1;
		return;
	}
	memcpy(s->buffer + s->seq.len, text, len);
	s->seq.len += len;
}

void trace_seq_puts(struct trace_seq *s, const char *text)
{
	put(s, text, strlen(text));
}

void trace_seq_putc(struct trace_seq *s, unsigned char c)
{
	put(s, (char *)&c, 1);
}

void trace_seq_putmem(struct trace_seq *s, const void *bytes, size_t size)
{
	put(s, bytes, size);
}

void trace_seq_printf(struct trace_seq *s, const char *fmt, ...)
{
	static char text[TRACE_SEQ_SIZE + 1];
	va_list ap;
	int len;

	va_start(ap, fmt);
	if (!strcmp(fmt, "%pGg"))
		len = snprintf(text, sizeof(text), "gfp(%x)", *va_arg(ap, gfp_t *));
	else if (!strcmp(fmt, "%ps"))
		len = snprintf(text, sizeof(text), "symbol(%lx)",
			       va_arg(ap, unsigned long));
	else if (!strcmp(fmt, "%pS"))
		len = snprintf(text, sizeof(text), "inside(%lx)",
			       va_arg(ap, unsigned long));
	else
		len = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	put(s, text, len);
}
