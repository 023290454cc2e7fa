/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fetch the text of an array, which may fill it and have no zero at its end: no byte behind
 * the array is looked at.
 *
 * trace_probe_tmpl.h includes this, behind its declarations. An instruction whose size is
 * MAX_STRING_SIZE fetches a string that only its zero ends.
 */
#ifndef _KERNEL_TRACE_SIG_FETCH_TEXT_H
#define _KERNEL_TRACE_SIG_FETCH_TEXT_H

static nokprobe_inline bool fetch_is_of_user(const struct fetch_insn *code)
{
	return code->op == FETCH_OP_ST_USTRING;
}

static nokprobe_inline int fetch_char(const struct fetch_insn *code, char *c,
				      unsigned long addr)
{
	return fetch_is_of_user(code) ? probe_mem_read_user(c, (void *)addr, 1) :
		probe_mem_read(c, (void *)addr, 1);
}

static nokprobe_inline int fetch_string(const struct fetch_insn *code, unsigned long addr,
					void *dest, void *base)
{
	return fetch_is_of_user(code) ? fetch_store_string_user(addr, dest, base) :
		fetch_store_string(addr, dest, base);
}

/*
 * The length that a string or a text has in the event, its zero included; or a negative
 * error number
 */
static nokprobe_inline int fetch_text_len(const struct fetch_insn *code, unsigned long addr)
{
	int len, ret;
	char c;

	if (code->size >= MAX_STRING_SIZE)
		return fetch_is_of_user(code) ? fetch_store_strlen_user(addr) :
			fetch_store_strlen(addr);
	for (len = 0; len < code->size; len++) {
		ret = fetch_char(code, &c, addr + len);
		if (ret)
			return ret;
		if (!c)
			break;
	}
	return len + 1;
}

/*
 * Store it. Before, the word at @dest has the place and the size of the room; behind, those
 * of the text.
 */
static nokprobe_inline int fetch_store_text(const struct fetch_insn *code, unsigned long addr,
					    void *dest, void *base)
{
	u32 loc = *(u32 *)dest;
	char *text = get_loc_data(dest, base);
	int ret;

	if (code->size >= MAX_STRING_SIZE || get_loc_len(loc) <= code->size)
		return fetch_string(code, addr, dest, base);

	/* The last character of a text that fills the array gives way to a zero here */
	*(u32 *)dest = make_data_loc(code->size, get_loc_offs(loc));
	ret = fetch_string(code, addr, dest, base);
	if (ret != code->size || fetch_char(code, &text[ret - 1], addr + ret - 1) ||
	    !text[ret - 1])
		return ret;
	text[ret++] = 0;
	*(u32 *)dest = make_data_loc(ret, get_loc_offs(loc));
	return ret;
}

#endif /* _KERNEL_TRACE_SIG_FETCH_TEXT_H */
