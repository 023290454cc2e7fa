// SPDX-License-Identifier: GPL-2.0
/*
 * Which parameters of syscalls are read, by rules and by types; and how structures and
 * arrays are read and printed.
 */
#include <linux/bitmap.h>
#include <linux/init.h>
#include <linux/string.h>

#include "signature/constants.h"
#include "signature/signature.h"
#include "signature/text.h"
#include "trace_syscalls_forms.h"
#include "trace_syscalls_rules.h"

/* The forms whose type is that of a parameter */
static const struct trace_syscall_form *const forms[] = {
#define FORM(name)	&trace_syscall_form_##name,
#include "trace_syscalls_form_list.h"
#undef FORM
};

/* For rules, and for the families of the members of all forms */
#define MOST_USES	768

static struct trace_syscall_use all_uses[MOST_USES] __ro_after_init;
static unsigned int nr_uses __ro_after_init;

/* By home slot */
struct trace_syscall_uses trace_syscall_uses[TRACE_SYSCALL_SLOTS] __ro_after_init;

/* Slots whose syscall takes the structures of 32-bit programs */
static DECLARE_BITMAP(compat_layout, TRACE_SYSCALL_SLOTS) __ro_after_init;

/**
 * trace_syscall_use - how a parameter is used
 * @meta: the syscall
 * @i: the parameter
 *
 * Return: NULL if it is not read.
 */
const struct trace_syscall_use *trace_syscall_use(const struct syscall_metadata *meta, int i)
{
	const struct trace_syscall_uses *own = &trace_syscall_uses[meta->syscall_nr];
	unsigned int used = own->in | own->out;

	if (!(used & BIT(i)))
		return NULL;
	return &all_uses[own->first + hweight8(used & (BIT(i) - 1))];
}

/* The syscall as rules name it: without "sys_" and what stands for 32-bit programs */
static const char *__init plain_name(const struct syscall_metadata *meta)
{
	static const char *const prefixes[] = { "sys_", "compat_", "ia32_" };
	const char *name = meta->name;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (strstarts(name, prefixes[i]))
			name += strlen(prefixes[i]);
	return name;
}

static const struct trace_syscall_rule *__init find_rule(const char *name, const char *param)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(trace_syscall_rules); i++) {
		const struct trace_syscall_rule *rule = &trace_syscall_rules[i];

		if (!strcmp(rule->syscall, name) && !strcmp(rule->param, param))
			return rule;
	}
	return NULL;
}

/* Whether @type is that of a form, and "const" or not */
static bool __init is_type(const char *type, const char *form, bool *is_const)
{
	static const char prefix[] = "const ", tag[] = "struct ", compat[] = "compat_";
	size_t size = strlen(form);

	*is_const = strstarts(type, prefix);
	if (*is_const)
		type += strlen(prefix);
	/* "struct compat_rusage" is the layout of "struct rusage" in 32-bit programs */
	if (strstarts(type, tag) && strstarts(type + strlen(tag), compat) &&
	    strstarts(form, tag)) {
		type += strlen(tag) + strlen(compat);
		form += strlen(tag);
		size -= strlen(tag);
	}
	return !strncmp(type, form, size) && !strcmp(type + size, " *");
}

static bool __init find_by_type(const char *type, struct trace_syscall_use *use)
{
	bool is_const;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		if (!forms[i]->type || !is_type(type, forms[i]->type, &is_const))
			continue;
		use->form = forms[i];
		use->direction = is_const ? TRACE_SYSCALL_TAKES : TRACE_SYSCALL_GIVES;
		use->count = COUNT_NONE;
		return true;
	}
	return false;
}

/* The type of strings is also that of buffers whose length is the next parameter */
static bool __init is_string(const struct syscall_metadata *meta, int i)
{
	const char *next = i + 1 < meta->nb_args ? meta->args[i + 1] : "";

	return !strcmp(meta->types[i], "const char *") && strcmp(next, "count") &&
	       strcmp(next, "msg_len");
}

/* A set of signals has its size in an argument, or always the same */
static u8 __init size_of_set(const struct syscall_metadata *meta)
{
	int i;

	for (i = 0; i < meta->nb_args; i++)
		if (!strcmp(meta->args[i], "sigsetsize") || !strcmp(meta->args[i], "sizemask"))
			return COUNT_ARG(i);
	return COUNT_IS(sizeof(sigset_t));
}

static bool __init find_form(const struct syscall_metadata *meta, int i,
			     struct trace_syscall_use *use)
{
	const struct trace_syscall_rule *rule = find_rule(plain_name(meta), meta->args[i]);

	if (!(meta->kinds[i] & SYSCALL_ARG_POINTER) && !rule)
		return false;
	if (rule) {
		*use = rule->use;
		return use->form;
	}
	if (is_string(meta, i)) {
		use->form = &trace_syscall_form_string;
		use->direction = TRACE_SYSCALL_TAKES;
		use->count = COUNT_NONE;
		return true;
	}
	return find_by_type(meta->types[i], use);
}

static bool __init find_use(const struct syscall_metadata *meta, int i,
			    struct trace_syscall_use *use)
{
	if (!find_form(meta, i, use))
		return false;
	if (use->form == &trace_syscall_form_sigset ||
	    use->form == &trace_syscall_form_compat_sigset)
		use->count = size_of_set(meta);
	if (use->count == COUNT_NONE || use->count >= COUNT_IS(0))
		return true;
	if (WARN_ON_ONCE(COUNT_PARAM(use->count) >= meta->nb_args))
		return false;
	use->kind = meta->kinds[COUNT_PARAM(use->count)];
	return true;
}

/**
 * trace_syscall_find_forms - note what is read of a syscall's parameters
 * @meta: the syscall, in its home slot
 */
void __init trace_syscall_find_forms(const struct syscall_metadata *meta)
{
	struct trace_syscall_uses *own = &trace_syscall_uses[meta->syscall_nr];
	int i;

	if (own->in | own->out)
		return;
	own->first = nr_uses;
	for (i = 0; i < meta->nb_args; i++) {
		struct trace_syscall_use use;

		if (!find_use(meta, i, &use) || WARN_ON_ONCE(nr_uses == MOST_USES))
			continue;
		if (use.direction & TRACE_SYSCALL_TAKES)
			own->in |= BIT(i);
		if (use.direction & ~TRACE_SYSCALL_TAKES)
			own->out |= BIT(i);
		all_uses[nr_uses++] = use;
	}
}

/**
 * trace_syscall_note_layout - note that a syscall takes the structures of 32-bit programs
 * @slot: its slot
 */
void __init trace_syscall_note_layout(int slot)
{
	__set_bit(slot, compat_layout);
}

/* Native syscalls are told first, because most calls are of these */
static __always_inline bool has_compat_layout(int slot)
{
	return trace_syscall_slot_is_compat(slot) && slot < TRACE_SYSCALL_SLOTS &&
	       test_bit(slot, compat_layout);
}

/*
 * The count as the syscall sees it: of an argument, the bytes that its type has. Returns false
 * if it is negative or too great; no syscall reads or writes anything then.
 */
static bool find_count(const struct trace_syscall_use *use, const unsigned long *args, long ret,
		       unsigned long *count)
{
	*count = 0;
	if (use->count == COUNT_NONE)
		return true;
	if (use->count >= COUNT_IS(0)) {
		*count = use->count - COUNT_IS(0);
		return true;
	}
	*count = args[COUNT_PARAM(use->count)];
	if ((use->kind & SYSCALL_ARG_SIZE) == sizeof(u32) || COUNT_IS_INT(use->count)) {
		*count = (u32)*count;
		if (use->kind & SYSCALL_ARG_SIGNED && (s32)*count < 0)
			return false;
	}
	if (use->limit && *count > use->limit)
		return false;
	if (COUNT_IS_RESULT(use->count))
		*count = min_t(unsigned long, *count, max(ret, 0L));
	return true;
}

/* Reads what argument @i, of which this is the use, points to */
static void read_use(struct trace_syscall_reader *r, const struct trace_syscall_use *use,
		     const unsigned long *args, unsigned int i)
{
	unsigned long count;

	if (find_count(use, args, r->ret, &count))
		use->form->read(r, use->form, args[i], count);
}

/* Returns false, and has printed nothing, if that is unknown */
static bool print_use(struct trace_syscall_printer *p, const struct trace_syscall_use *use,
		      unsigned int i)
{
	const struct trace_syscall_call *call = p->call;
	unsigned long count;

	return find_count(use, call->args, call->ret, &count) &&
	       use->form->print(p, use->form, call->args[i], count);
}

static struct trace_syscall_reader reader_of(struct trace_syscall_task *task,
					     struct trace_syscall_wants wants)
{
	struct trace_syscall_reader r = {
		.memory	= trace_syscall_memory_of(task),
		.most	= wants.most,
		.paths	= wants.paths,
		.compat	= has_compat_layout(task->slot),
		.words32 = trace_syscall_slot_is_compat(task->slot),
		.args	= task->words,
	};

	return r;
}

static void read_taken(struct trace_syscall_reader *r, const struct trace_syscall_uses *uses,
		       u8 params)
{
	const unsigned long *args = r->args;
	const struct trace_syscall_use *use = &all_uses[uses->first];
	unsigned int left = uses->in | uses->out, i;

	for (; left; left &= left - 1, use++) {
		i = __ffs(left);
		if (!(params & BIT(i)) || !args[i])
			continue;
		r->of = i;
		read_use(r, use, args, i);
	}
}

/**
 * trace_syscall_read_in - read what a syscall takes
 * @task: the call
 * @uses: the syscall's parameters
 * @wants: what is wanted
 *
 * Context: a task that may sleep.
 */
void trace_syscall_read_in(struct trace_syscall_task *task,
			   const struct trace_syscall_uses *uses,
			   struct trace_syscall_wants wants)
{
	struct trace_syscall_reader r = reader_of(task, wants);

	r.memory->size = 0;
	r.end = TRACE_SYSCALL_MEMORY_IN;
	if (wants.most)
		read_taken(&r, uses, uses->in);
	task->missed = r.missed;
	if (!wants.paths)
		return;
	/* Memory that had no room leaves the paths theirs */
	r.end = TRACE_SYSCALL_MEMORY_PATHS;
	r.of = 0;
	trace_syscall_read_paths(&r, uses, r.args);
}

/*
 * A signal came before the time was over, and what is left of it was written. With a time
 * that is absolute nothing is written, and the result is -ERESTARTNOHAND.
 */
static bool is_interrupted(long ret)
{
	return ret == -EINTR || ret == -ERESTART_RESTARTBLOCK;
}

/*
 * What could not be read at the call may be there now, because the kernel has read it. What
 * the call gives as well is not read again, because it may be no more what the call took.
 * That includes all that socketcall() and ipc() lead to. After execve() the memory belongs
 * to another program.
 */
static void read_missed(struct trace_syscall_reader *r, const struct trace_syscall_uses *uses,
			u8 missed)
{
	u8 params = missed & uses->in & ~uses->out;

	trace_syscall_drop(r->memory, params);
	read_taken(r, uses, params);
}

static void read_given(struct trace_syscall_reader *r, const struct trace_syscall_uses *uses,
		       const unsigned long *args)
{
	u8 wanted = IS_ERR_VALUE(r->ret) ? is_interrupted(r->ret) ? TRACE_SYSCALL_LEAVES : 0 :
					   TRACE_SYSCALL_GIVES | TRACE_SYSCALL_AFTER;
	const struct trace_syscall_use *use = &all_uses[uses->first];
	unsigned int left = uses->in | uses->out, i;

	for (; left; left &= left - 1, use++) {
		i = __ffs(left);
		if (!args[i] || !(use->direction & wanted))
			continue;
		r->of = i | TRACE_SYSCALL_OUT;
		read_use(r, use, args, i);
	}
}

/**
 * trace_syscall_read_out - read what a syscall gave
 * @task: the call
 * @uses: the syscall's parameters
 * @wants: what is wanted
 * @ret: the result
 *
 * Context: a task that may sleep.
 */
void trace_syscall_read_out(struct trace_syscall_task *task,
			    const struct trace_syscall_uses *uses,
			    struct trace_syscall_wants wants, long ret)
{
	struct trace_syscall_reader r = reader_of(task, wants);

	r.end = TRACE_SYSCALL_MEMORY_SIZE;
	r.ret = ret;
	if (wants.most && unlikely(task->missed) && task->exec_id == current->self_exec_id)
		read_missed(&r, uses, task->missed);
	if (wants.most)
		read_given(&r, uses, r.args);
	if (wants.paths)
		trace_syscall_read_result_path(&r, task->state.meta, r.args);
}

/**
 * trace_syscall_read_inner - read what belongs to a call that another syscall makes
 * @r: the reader of that syscall, at a parameter at the call or at the return
 * @meta: which call is made
 * @args: its arguments; 0 for those that it does not have
 */
void trace_syscall_read_inner(struct trace_syscall_reader *r,
			      const struct syscall_metadata *meta, const unsigned long *args)
{
	const struct trace_syscall_uses *uses = trace_syscall_uses_of(meta);
	const struct trace_syscall_use *use = &all_uses[uses->first];
	unsigned int left = uses->in | uses->out, i;
	u8 out = r->of & TRACE_SYSCALL_OUT;
	u8 wanted = out ? TRACE_SYSCALL_GIVES | TRACE_SYSCALL_AFTER : TRACE_SYSCALL_TAKES;
	struct trace_syscall_reader inner = *r;

	inner.args = args;
	for (; left; left &= left - 1, use++) {
		i = __ffs(left);
		if (!args[i] || !(use->direction & wanted))
			continue;
		inner.of = i | out | TRACE_SYSCALL_INNER;
		read_use(&inner, use, args, i);
	}
	if (r->paths && out) {
		trace_syscall_read_result_path(&inner, meta, args);
	} else if (r->paths) {
		inner.of = TRACE_SYSCALL_INNER;
		trace_syscall_read_paths(&inner, uses, args);
	}
	r->end = inner.end;
}

static struct trace_syscall_printer printer_of(struct trace_seq *s,
					       const struct trace_syscall_call *call)
{
	struct trace_syscall_printer p = {
		.s	= s,
		.call	= call,
		.compat	= call->compat && has_compat_layout(call->slot),
	};

	return p;
}

/**
 * trace_syscall_print_arg - print what an argument points to
 * @s: where to
 * @call: the call
 * @i: the argument
 * @before: text to print before it
 *
 * Return: false, and nothing was printed, if that is not known.
 */
bool trace_syscall_print_arg(struct trace_seq *s, const struct trace_syscall_call *call,
			     int i, const char *before)
{
	const struct trace_syscall_use *use = trace_syscall_use(call->meta, i);
	struct trace_syscall_printer p = printer_of(s, call);
	unsigned int length = s->seq.len;
	u8 of = i | (call->inner ? TRACE_SYSCALL_INNER : 0);

	if (!use || !call->memory || !call->args[i])
		return false;
	/* What was taken and then given is shown as it was given */
	if (!(!(use->direction & TRACE_SYSCALL_AFTER) &&
	      trace_syscall_seek(&p, of | TRACE_SYSCALL_OUT)) &&
	    !trace_syscall_seek(&p, of))
		return false;
	trace_seq_puts(s, before);
	if (print_use(&p, use, i))
		return true;
	s->seq.len = length;
	return false;
}

/**
 * trace_syscall_print_changes - print what a call gave by changing what it took
 * @s: where to
 * @call: the call, which has returned
 *
 * strace prints that behind the result.
 */
void trace_syscall_print_changes(struct trace_seq *s, const struct trace_syscall_call *call)
{
	const char *separator = " (";
	unsigned int i;

	if (!call->memory || IS_ERR_VALUE(call->ret))
		return;
	for (i = 0; i < call->meta->nb_args; i++) {
		const struct trace_syscall_use *use = trace_syscall_use(call->meta, i);
		struct trace_syscall_printer p = printer_of(s, call);
		unsigned int length = s->seq.len;
		struct trace_text_kept kept;
		bool known;

		if (!use || !(use->direction & TRACE_SYSCALL_AFTER) ||
		    !trace_syscall_seek(&p, i | TRACE_SYSCALL_OUT))
			continue;
		/* Those who wait for files return 0 when the time is over */
		if (!call->ret && !(use->direction & TRACE_SYSCALL_ALWAYS)) {
			trace_seq_puts(s, " (Timeout)");
			return;
		}
		trace_seq_puts(s, separator);
		kept = trace_syscall_keep(s, call,
					  TRACE_TEXT_VALUE * (call->meta->nb_args - i - 1));
		known = print_use(&p, use, i);
		trace_text_give_back(s, kept);
		if (known)
			separator = ", ";
		else
			s->seq.len = length;
	}
	if (separator[0] == ',')
		trace_seq_putc(s, ')');
}

/* Members */

/* x86's least byte is the first */
static u64 bits_of(const struct trace_syscall_member *m, const void *bytes)
{
	u64 bits = 0;

	memcpy(&bits, bytes + m->offset, min_t(unsigned int, m->size, sizeof(bits)));
	return bits;
}

static unsigned int width(const struct trace_syscall_member *m)
{
	return min_t(unsigned int, m->size, sizeof(u64));
}

void trace_syscall_signed(struct trace_seq *s, const struct trace_syscall_member *m, u64 bits)
{
	trace_seq_printf(s, "%lld", sign_extend64(bits, width(m) * BITS_PER_BYTE - 1));
}

void trace_syscall_unsigned(struct trace_seq *s, const struct trace_syscall_member *m, u64 bits)
{
	trace_seq_printf(s, "%llu", bits);
}

void trace_syscall_hex(struct trace_seq *s, const struct trace_syscall_member *m, u64 bits)
{
	trace_seq_printf(s, bits ? "0x%llx" : "%llu", bits);
}

void trace_syscall_octal(struct trace_seq *s, const struct trace_syscall_member *m, u64 bits)
{
	trace_seq_printf(s, bits ? "0%llo" : "%llu", bits);
}

void trace_syscall_address(struct trace_seq *s, const struct trace_syscall_member *m, u64 bits)
{
	trace_seq_printf(s, bits ? "0x%llx" : "NULL", bits);
}

static void print_in_family(struct trace_seq *s, const struct ftrace_family *family, u64 bits,
			    unsigned int size)
{
	if (family)
		ftrace_family_print(s, family, bits, size,
				    FTRACE_SIG_NO_SYMBOLS | FTRACE_SIG_SIGNED);
	else
		trace_seq_printf(s, bits ? "0x%llx" : "%llu", bits);
}

void trace_syscall_names(struct trace_seq *s, const struct trace_syscall_member *m, u64 bits)
{
	print_in_family(s, m->found ?: ftrace_family_by_name(m->family), bits, width(m));
}

/**
 * trace_syscall_print_family - print a number by the names of a family's constants
 * @s: where to
 * @family: the family's name in signature/constants/families
 * @bits: the number
 * @size: its size in bytes
 */
void trace_syscall_print_family(struct trace_seq *s, const char *family, u64 bits,
				unsigned int size)
{
	print_in_family(s, ftrace_family_by_name(family), bits, size);
}

/**
 * trace_syscall_hex_words - print an array of words
 * @p: the printer
 * @m: the array
 * @bytes: the words
 */
void trace_syscall_hex_words(struct trace_syscall_printer *p, const struct trace_syscall_member *m,
			     const void *bytes)
{
	unsigned int i;
	u32 word;

	trace_seq_putc(p->s, '[');
	for (i = 0; i < m->size / sizeof(word); i++) {
		memcpy(&word, bytes + i * sizeof(word), sizeof(word));
		trace_seq_puts(p->s, i ? ", " : "");
		trace_syscall_hex(p->s, m, word);
	}
	trace_seq_putc(p->s, ']');
}

/**
 * trace_syscall_chars - print an array of characters that may end with a zero
 * @p: the printer
 * @m: the array
 * @bytes: the characters
 */
void trace_syscall_chars(struct trace_syscall_printer *p, const struct trace_syscall_member *m,
			 const void *bytes)
{
	ftrace_sig_print_text(p->s, bytes, strnlen(bytes, m->size), false);
}

/* Whether a structure of which there are @size bytes shows the member */
static bool is_shown(const struct trace_syscall_member *m, const void *bytes, unsigned int size)
{
	u32 flags;

	if (m->since >= size)
		return false;
	memcpy(&flags, bytes + m->flag_at, m->flag ? sizeof(flags) : 0);
	if (m->flag && !(flags & m->flag))
		return false;
	return !m->if_set || memchr_inv(bytes + m->offset, 0, m->size);
}

static void print_list(struct trace_syscall_printer *p,
		       const struct trace_syscall_member *members, unsigned int nr,
		       const void *bytes, unsigned int size);

static void print_member(struct trace_syscall_printer *p, const struct trace_syscall_member *m,
			 const void *bytes, unsigned int size)
{
	if (m->of) {
		trace_seq_putc(p->s, '{');
		print_list(p, m->of, UINT_MAX, bytes + m->offset, size - m->offset);
		trace_seq_putc(p->s, '}');
	} else if (m->print_in) {
		m->print_in(p, m, bytes + m->offset);
	} else {
		m->print(p->s, m, bits_of(m, bytes));
	}
}

static bool is_last(const struct trace_syscall_member *m)
{
	return !m->print && !m->print_in && !m->of;
}

static void print_list(struct trace_syscall_printer *p,
		       const struct trace_syscall_member *members, unsigned int nr,
		       const void *bytes, unsigned int size)
{
	const struct trace_syscall_member *m;
	const char *separator = "";

	for (m = members; nr-- && !is_last(m); m++) {
		if (!is_shown(m, bytes, size))
			continue;
		if (m->label)
			trace_seq_printf(p->s, "%s%s=", separator, m->label);
		print_member(p, m, bytes, size);
		separator = ", ";
	}
}

/**
 * trace_syscall_print_some - print a structure that programs may have a part of
 * @p: the printer, at the piece that follows it
 * @layout: its members
 * @bytes: as many as the whole structure has; they need no alignment
 * @size: how many of them were read
 */
void trace_syscall_print_some(struct trace_syscall_printer *p,
			      const struct trace_syscall_layout *layout, const void *bytes,
			      unsigned int size)
{
	trace_seq_putc(p->s, '{');
	print_list(p, layout->members, layout->nr, bytes, size);
	trace_seq_puts(p->s, layout->more ? ", ...}" : "}");
}

/**
 * trace_syscall_print_members - print a structure
 * @s: where to
 * @layout: its members, of which none has more pieces
 * @bytes: as many as it has; they need no alignment
 */
void trace_syscall_print_members(struct trace_seq *s, const struct trace_syscall_layout *layout,
				 const void *bytes)
{
	struct trace_syscall_printer p = { .s = s };

	trace_syscall_print_some(&p, layout, bytes, layout->size);
}

/**
 * trace_syscall_layout - how a form's structure is laid out
 * @form: the form
 * @compat: whether 32-bit programs have it
 *
 * Return: NULL if that is not known.
 */
const struct trace_syscall_layout *trace_syscall_layout(const struct trace_syscall_form *form,
							bool compat)
{
	const struct trace_syscall_layout *layout = compat ? &form->compat : &form->native;

	return layout->members ? layout : NULL;
}

/**
 * trace_syscall_print_end - print how an array ends
 * @s: where to
 * @piece: what follows its elements, or NULL
 * @separator: "[" if there was no element
 */
void trace_syscall_print_end(struct trace_seq *s, const struct trace_syscall_piece *piece,
			     const char *separator)
{
	bool whole = piece && piece->head == TRACE_SYSCALL_PIECE_END;

	if (!whole || separator[0] == '[')
		trace_seq_puts(s, separator);
	trace_seq_puts(s, whole ? "]" : "...]");
}

void trace_syscall_read_array(struct trace_syscall_reader *r,
			      const struct trace_syscall_form *form,
			      unsigned long address, unsigned long count)
{
	const struct trace_syscall_layout *layout = trace_syscall_layout(form, r->compat);
	unsigned long i;

	for (i = 0; layout && i < count && i < TRACE_SYSCALL_ELEMENTS; i++)
		if (!trace_syscall_read(r, address + i * layout->size, layout->size))
			return;
	trace_syscall_put_flag(r, TRACE_SYSCALL_PIECE_END |
				  (i < count ? TRACE_SYSCALL_PIECE_CUT : 0));
}

bool trace_syscall_print_array(struct trace_syscall_printer *p,
			       const struct trace_syscall_form *form,
			       unsigned long address, unsigned long count)
{
	const struct trace_syscall_layout *layout = trace_syscall_layout(form, p->compat);
	const struct trace_syscall_piece *piece = trace_syscall_next(p);
	const char *separator = "[";

	if (!layout || !piece || piece->head & TRACE_SYSCALL_PIECE_UNKNOWN)
		return false;
	for (; piece && piece->head == layout->size; piece = trace_syscall_next(p)) {
		trace_seq_puts(p->s, separator);
		trace_syscall_print_members(p->s, layout, piece->bytes);
		separator = ", ";
	}
	trace_syscall_print_end(p->s, piece, separator);
	return true;
}

void trace_syscall_read_struct(struct trace_syscall_reader *r,
			       const struct trace_syscall_form *form,
			       unsigned long address, unsigned long count)
{
	const struct trace_syscall_layout *layout = trace_syscall_layout(form, r->compat);

	if (count)
		trace_syscall_read_array(r, form, address, count);
	else if (layout)
		trace_syscall_read(r, address, layout->size);
}

bool trace_syscall_print_struct(struct trace_syscall_printer *p,
				const struct trace_syscall_form *form,
				unsigned long address, unsigned long count)
{
	const struct trace_syscall_layout *layout = trace_syscall_layout(form, p->compat);
	const struct trace_syscall_piece *piece;

	if (count)
		return trace_syscall_print_array(p, form, address, count);
	piece = trace_syscall_next(p);
	if (!layout || !piece || piece->head != layout->size)
		return false;
	trace_syscall_print_members(p->s, layout, piece->bytes);
	return true;
}

static void __init find_families(struct trace_syscall_member *m, unsigned int nr)
{
	for (; nr-- && !is_last(m); m++) {
		if (m->family)
			m->found = ftrace_family_by_name(m->family);
		if (m->of)
			find_families(m->of, UINT_MAX);
	}
}

static int __init find_all_families(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		find_families(forms[i]->native.members, forms[i]->native.nr);
		find_families(forms[i]->compat.members, forms[i]->compat.nr);
	}
	return 0;
}
core_initcall(find_all_families);
