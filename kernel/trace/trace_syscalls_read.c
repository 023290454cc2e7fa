// SPDX-License-Identifier: GPL-2.0
/*
 * Pieces of user memory: how they are read, and how they are found again in an event.
 *
 * A piece is read as a whole or marked as unknown. When there is no room for one, no more
 * are appended, so that what stands behind it is never taken for it.
 */
#include <linux/dcache.h>
#include <linux/path.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "signature/text.h"
#include "trace_syscalls_forms.h"
#include "trace_syscalls_memory.h"

/* What was missed at the call may be there at the return */
static void note_missed(struct trace_syscall_reader *r)
{
	if (r->of < TRACE_SYSCALL_OUT)
		r->missed |= BIT(r->of);
}

/* Returns NULL, and leaves no room for others, if there is none for so many bytes */
static struct trace_syscall_piece *new_piece(struct trace_syscall_reader *r, unsigned int size)
{
	struct trace_syscall_piece *piece = (void *)r->memory->bytes + r->memory->size;

	if (r->memory->size + sizeof(*piece) + size > r->end) {
		r->end = 0;
		return NULL;
	}
	piece->of = r->of;
	return piece;
}

static void end_piece(struct trace_syscall_reader *r, struct trace_syscall_piece *piece,
		      unsigned int size, u16 flags)
{
	piece->head = size | flags;
	r->memory->size += sizeof(*piece) + size;
}

/**
 * trace_syscall_try - copy user memory, without a piece of it
 * @r: the reader
 * @to: where to; anything may be there if it cannot be copied
 * @address: where it is; may be any
 * @size: how many bytes
 *
 * Return: whether all of it was copied. If not, the reader notes that the parameter is not
 * known whole.
 */
bool trace_syscall_try(struct trace_syscall_reader *r, void *to, unsigned long address,
		       unsigned int size)
{
	bool copied = trace_syscall_copy(to, address, size);

	if (!copied)
		note_missed(r);
	return copied;
}

/**
 * trace_syscall_put_flag - append a piece without bytes
 * @r: the reader
 * @flag: TRACE_SYSCALL_PIECE_UNKNOWN or TRACE_SYSCALL_PIECE_END
 */
void trace_syscall_put_flag(struct trace_syscall_reader *r, u16 flag)
{
	struct trace_syscall_piece *piece = new_piece(r, 0);

	if (piece)
		end_piece(r, piece, 0, flag);
}

/**
 * trace_syscall_put - append bytes that were found out
 * @r: the reader
 * @from: the bytes
 * @size: how many
 */
void trace_syscall_put(struct trace_syscall_reader *r, const void *from, unsigned int size)
{
	struct trace_syscall_piece *piece = new_piece(r, size);

	if (!piece)
		return;
	memcpy(piece->bytes, from, size);
	end_piece(r, piece, size, 0);
}

/**
 * trace_syscall_read - append all bytes of something, or that it is unknown
 * @r: the reader
 * @address: where it is; may be any
 * @size: how many bytes; at most TRACE_SYSCALL_MEMORY_IN
 *
 * Return: the bytes, which are not aligned; NULL if they are unknown.
 */
const void *trace_syscall_read(struct trace_syscall_reader *r, unsigned long address,
			       unsigned int size)
{
	struct trace_syscall_piece *piece = new_piece(r, size);

	if (!piece)
		return NULL;
	if (!trace_syscall_try(r, piece->bytes, address, size)) {
		end_piece(r, piece, 0, TRACE_SYSCALL_PIECE_UNKNOWN);
		return NULL;
	}
	end_piece(r, piece, size, 0);
	return piece->bytes;
}

/**
 * trace_syscall_read_some - append the bytes of something of which there may be more
 * @r: the reader
 * @address: where it is; may be any
 * @size: how many bytes
 * @cut: whether there are more
 */
void trace_syscall_read_some(struct trace_syscall_reader *r, unsigned long address,
			     unsigned int size, bool cut)
{
	struct trace_syscall_piece *piece = new_piece(r, size);

	if (!piece)
		return;
	if (trace_syscall_try(r, piece->bytes, address, size))
		end_piece(r, piece, size, cut ? TRACE_SYSCALL_PIECE_CUT : 0);
	else
		end_piece(r, piece, 0, TRACE_SYSCALL_PIECE_UNKNOWN);
}

/**
 * trace_syscall_read_bytes - append the first bytes of a buffer
 * @r: the reader, whose limit applies
 * @address: where it is; may be any
 * @size: the buffer's size; may be any
 */
void trace_syscall_read_bytes(struct trace_syscall_reader *r, unsigned long address,
			      unsigned long size)
{
	unsigned int some = min_t(unsigned long, size, r->most);

	trace_syscall_read_some(r, address, some, some < size);
}

/**
 * trace_syscall_read_string - append a string
 * @r: the reader, whose limit applies
 * @address: where it is; may be any
 *
 * Return: false if there is no room for any more.
 */
bool trace_syscall_read_string(struct trace_syscall_reader *r, unsigned long address)
{
	struct trace_syscall_piece *piece = new_piece(r, 0);
	unsigned int size;
	long length;

	if (!piece)
		return false;
	size = min_t(unsigned int, r->most, r->end - r->memory->size - sizeof(*piece));
	length = trace_syscall_copy_string(piece->bytes, address, size);
	if (length < 0) {
		note_missed(r);
		end_piece(r, piece, 0, TRACE_SYSCALL_PIECE_UNKNOWN);
	} else {
		/* It was cut unless its end was found; it may end just there */
		end_piece(r, piece, length, length == size ? TRACE_SYSCALL_PIECE_CUT : 0);
	}
	return true;
}

static bool is_deleted(const struct dentry *dentry)
{
	return d_unlinked(dentry) || (dentry->d_op && dentry->d_op->d_dname);
}

/* Takes the end of the text that d_path() appends to the path of a file that is deleted */
static bool cut_deleted(const char *text, unsigned int *length)
{
	static const char end[] = " (deleted)";
	unsigned int size = strlen(end);

	if (*length < size || strcmp(text + *length - size, end))
		return false;
	*length -= size;
	return true;
}

/**
 * trace_syscall_put_path - append the path of a file, or that it is unknown
 * @r: the reader
 * @path: the file
 */
void trace_syscall_put_path(struct trace_syscall_reader *r, const struct path *path)
{
	struct trace_syscall_piece *piece = new_piece(r, 0);
	bool deleted = is_deleted(path->dentry);
	unsigned int length;
	char *text;

	if (!piece)
		return;
	text = d_path(path, piece->bytes, r->end - r->memory->size - sizeof(*piece));
	if (IS_ERR(text)) {
		end_piece(r, piece, 0, TRACE_SYSCALL_PIECE_UNKNOWN);
		return;
	}
	length = strlen(text);
	deleted = deleted && cut_deleted(text, &length);
	memmove(piece->bytes, text, length);
	end_piece(r, piece, length, deleted ? TRACE_SYSCALL_PIECE_DELETED : 0);
}

/**
 * trace_syscall_peek_long - read a word, without a piece of it
 * @r: the reader
 * @address: where it is; may be any
 * @value: gets it
 *
 * Return: whether it could be read.
 */
bool trace_syscall_peek_long(struct trace_syscall_reader *r, unsigned long address,
			     unsigned long *value)
{
	unsigned int size = trace_syscall_long_size(r->words32);
	u8 bytes[sizeof(long)];

	if (!trace_syscall_try(r, bytes, address, size))
		return false;
	*value = trace_syscall_long_at(bytes, r->words32);
	return true;
}

/**
 * trace_syscall_long_at - a word of a program
 * @from: where it is; needs no alignment
 * @words32: whether it has 32 bits
 *
 * Return: the word, with zeroes above.
 */
unsigned long trace_syscall_long_at(const void *from, bool words32)
{
	unsigned long value = 0;

	memcpy(&value, from, trace_syscall_long_size(words32));
	return value;
}

/* The piece at @at, or NULL if nothing whole is there */
static const struct trace_syscall_piece *piece_at(const struct trace_syscall_memory *memory,
						  u32 at, u32 *next)
{
	const struct trace_syscall_piece *piece = (void *)memory->bytes + at;
	u32 left = memory->size - at, length;

	if (left < sizeof(*piece))
		return NULL;
	length = piece->head & TRACE_SYSCALL_PIECE_LENGTH;
	if (length > left - sizeof(*piece))
		return NULL;
	*next = at + sizeof(*piece) + length;
	return piece;
}

/**
 * trace_syscall_drop - remove the pieces of parameters
 * @memory: where they are
 * @params: a bit for each parameter; what was read at the call goes
 */
void trace_syscall_drop(struct trace_syscall_memory *memory, u8 params)
{
	u32 at = 0, to = 0, next;
	const struct trace_syscall_piece *piece;

	for (; (piece = piece_at(memory, at, &next)); at = next) {
		if (piece->of < TRACE_SYSCALL_OUT && params & BIT(piece->of))
			continue;
		memmove(memory->bytes + to, piece, next - at);
		to += next - at;
	}
	memory->size = to;
}

/**
 * trace_syscall_next - the next piece of the parameter
 * @p: the printer
 *
 * Return: NULL if there is none.
 */
const struct trace_syscall_piece *trace_syscall_next(struct trace_syscall_printer *p)
{
	const struct trace_syscall_piece *piece;
	u32 next;

	piece = piece_at(p->call->memory, p->at, &next);
	if (!piece || piece->of != p->of)
		return NULL;
	p->at = next;
	return piece;
}

/**
 * trace_syscall_seek - go to the first piece of a parameter
 * @p: the printer
 * @of: the parameter, with TRACE_SYSCALL_OUT
 *
 * Return: false if there is none.
 */
bool trace_syscall_seek(struct trace_syscall_printer *p, u8 of)
{
	const struct trace_syscall_memory *memory = p->call->memory;
	const struct trace_syscall_piece *piece;
	u32 at = 0, next;

	if (!memory)
		return false;
	while ((piece = piece_at(memory, at, &next)) && piece->of != of)
		at = next;
	p->of = of;
	p->at = at;
	return piece;
}

/**
 * trace_syscall_next_whole - the bytes of the next piece
 * @p: the printer
 * @to: where to copy them
 * @size: how many there must be
 *
 * Return: false if there are not as many, or none.
 */
bool trace_syscall_next_whole(struct trace_syscall_printer *p, void *to, unsigned int size)
{
	const struct trace_syscall_piece *piece = trace_syscall_next(p);

	if (!piece || piece->head != size)
		return false;
	memcpy(to, piece->bytes, size);
	return true;
}

/**
 * trace_syscall_print_text - print a piece in quotes
 * @s: where to
 * @piece: the piece, which is not unknown
 */
void trace_syscall_print_text(struct trace_seq *s, const struct trace_syscall_piece *piece)
{
	ftrace_sig_print_text(s, piece->bytes, piece->head & TRACE_SYSCALL_PIECE_LENGTH,
			      piece->head & TRACE_SYSCALL_PIECE_CUT);
}
