// SPDX-License-Identifier: GPL-2.0
/*
 * Damage to tables of signatures: in one part at a time, whose neighbours move
 * to make room, and with a checksum that is right again.
 */
#include <string.h>

#include "../../table.h"
#include "mutate.h"

/* The parts of a table by their header fields; the last is where strings end */
enum { IPS, SIGS, PROTOS, TYPES, STRINGS, END, NR_PARTS = END };

struct shape {
	uint32_t	at[NR_PARTS + 1];
};

/**
 * mutate_number - another number in the place of a number
 * @rng: random numbers
 * @old: the number
 * @bits: its width
 *
 * Close to it, or close to a power of two, or anything.
 */
uint64_t mutate_number(struct rng *rng, uint64_t old, unsigned int bits)
{
	uint64_t edge = 1ull << rng_below(rng, bits);

	switch (rng_below(rng, 8)) {
	case 0:
		return old ^ edge;
	case 1:
		return edge - rng_below(rng, 2);
	case 2:
		return -edge;
	case 3:
		return old + rng_below(rng, 9) - 4;
	case 4:
		return rng_below(rng, 20);
	case 5:
		return ~0ull - rng_below(rng, 3);
	case 6:
		return old * 2;
	default:
		return (uint64_t)rng_next(rng) << 32 | rng_next(rng);
	}
}

/**
 * mutate_words - change 32-bit words
 * @rng: random numbers
 * @data: the words; need no alignment
 * @size: bytes of @data
 */
void mutate_words(struct rng *rng, uint8_t *data, size_t size)
{
	uint32_t nr = size / 4, word, other;
	uint8_t *at, *from;

	if (!nr)
		return;
	at = data + 4 * rng_below(rng, nr);
	from = data + 4 * rng_below(rng, nr);
	memcpy(&word, at, 4);
	memcpy(&other, from, 4);
	switch (rng_below(rng, 4)) {
	case 0:
		memcpy(at, &other, 4);
		return;
	case 1:
		memcpy(at, &other, 4);
		memcpy(from, &word, 4);
		return;
	case 2:		/* ids and offsets are the lower 24 bits */
		if (rng_once_in(rng, 2))
			word = (word & ~0xffffffu) | (other & 0xffffff);
		else
			word = (word & 0xffffff) | (uint32_t)rng_next(rng) << 24;
		break;
	default:
		word = mutate_number(rng, word, 32);
		break;
	}
	memcpy(at, &word, 4);
}

/**
 * mutate_in_place - change bytes, keeping their number
 * @rng: random numbers
 * @data: the bytes
 * @size: how many
 */
void mutate_in_place(struct rng *rng, uint8_t *data, size_t size)
{
	uint32_t length, from;

	if (!size)
		return;
	length = 1 + rng_below(rng, size < 64 ? size : 64);
	from = rng_below(rng, size - length + 1);
	LLVMFuzzerMutate(data + from, length, length);
}

static bool read_shape(const uint8_t *data, size_t size, struct shape *shape)
{
	struct ftrace_sig_header h;

	if (size < sizeof(h))
		return false;
	memcpy(&h, data, sizeof(h));
	*shape = (struct shape){
		{ h.ips, h.sigs, h.protos, h.types, h.strings, h.strings_end }
	};
	if (shape->at[IPS] < sizeof(h) || shape->at[END] > size)
		return false;
	for (unsigned int i = 0; i < NR_PARTS; i++)
		if (shape->at[i] > shape->at[i + 1])
			return false;
	return true;
}

/* The header follows what became of the parts. */
static void write_shape(uint8_t *data, size_t size, const struct shape *shape)
{
	struct ftrace_sig_header h;

	memcpy(&h, data, sizeof(h));
	h.size = size;
	h.ips = shape->at[IPS];
	h.sigs = shape->at[SIGS];
	h.protos = shape->at[PROTOS];
	h.types = shape->at[TYPES];
	h.strings = shape->at[STRINGS];
	h.strings_end = shape->at[END];
	memcpy(data, &h, sizeof(h));
}

/**
 * seal_table - give a table the right checksum
 * @data: the table; needs no alignment
 * @size: bytes that there are
 *
 * Return: false if the header tells of no bytes to compute it of.
 */
bool seal_table(uint8_t *data, size_t size)
{
	/* table_checksum() wants words in their places */
	static uint32_t aligned[1 << 20];
	struct ftrace_sig_header *h = (void *)aligned;

	if (size < sizeof(*h))
		return false;
	memcpy(h, data, sizeof(*h));
	if (h->size > size || h->size > sizeof(aligned) || h->sigs > h->size ||
	    h->size < sizeof(*h))
		return false;
	memcpy(aligned, data, h->size);
	h->checksum = table_checksum(h);
	memcpy(data, h, sizeof(*h));
	return true;
}

static void mutate_header(struct rng *rng, uint8_t *data)
{
	uint32_t words[sizeof(struct ftrace_sig_header) / 4];
	unsigned int i = rng_below(rng, sizeof(words) / 4);

	memcpy(words, data, sizeof(words));
	if (rng_once_in(rng, 3))
		words[i] += 4 * (int)(rng_below(rng, 5) - 2);
	else
		words[i] = mutate_number(rng, words[i], 32);
	memcpy(data, words, sizeof(words));
}

/* Words out of some part, into or out of @part; whatever follows moves. */
static size_t resize(struct rng *rng, uint8_t *data, size_t max_size,
		     struct shape *shape, unsigned int part)
{
	uint32_t *at = shape->at, room = (max_size & ~7u) - at[END];
	uint32_t size = at[part + 1] - at[part], place, length, from;

	length = 4 * (1 + rng_below(rng, 8));
	place = at[part] + 4 * rng_below(rng, size / 4 + 1);
	if (rng_once_in(rng, 3)) {
		if (length > at[part + 1] - place)
			return at[END];
		memmove(data + place, data + place + length,
			at[END] - place - length);
		length = -length;
	} else {
		if (length > room || at[END] - at[PROTOS] < length)
			return at[END];
		from = at[PROTOS] + rng_below(rng, at[END] - at[PROTOS] -
					      length + 1) / 4 * 4;
		memmove(data + place + length, data + place, at[END] - place);
		memmove(data + place, data + from, length);
	}
	for (unsigned int i = part + 1; i <= END; i++)
		at[i] += length;
	/* Each site has both an address and a prototype */
	if (part <= SIGS) {
		uint32_t nr_sites = (at[PROTOS] - at[SIGS]) / 4;

		memcpy(data + offsetof(struct ftrace_sig_header, nr_sites),
		       &nr_sites, 4);
	}
	return at[END];
}

static void mutate_part(struct rng *rng, uint8_t *data,
			const struct shape *shape, unsigned int part)
{
	uint32_t start = shape->at[part], size = shape->at[part + 1] - start;

	if (part == STRINGS || rng_once_in(rng, 4))
		mutate_in_place(rng, data + start, size);
	else
		mutate_words(rng, data + start, size);
}

static unsigned int choose_part(struct rng *rng)
{
	static const uint8_t parts[] = {
		IPS, SIGS, PROTOS, PROTOS, PROTOS, TYPES, TYPES, TYPES, STRINGS
	};

	return parts[rng_below(rng, sizeof(parts))];
}

/**
 * mutate_table - damage a table
 * @rng: random numbers
 * @data: the table
 * @size: its bytes
 * @max_size: how many there may be
 *
 * Return: its new size.
 */
size_t mutate_table(struct rng *rng, uint8_t *data, size_t size,
		    size_t max_size)
{
	struct shape shape;

	if (!read_shape(data, size, &shape)) {
		size = LLVMFuzzerMutate(data, size, max_size);
	} else if (rng_once_in(rng, 12)) {
		mutate_header(rng, data);
	} else if (rng_once_in(rng, 3)) {
		size_t end = resize(rng, data, max_size, &shape,
				    choose_part(rng));

		size = (end + 7) & ~7ul;
		if (size > max_size)
			size = end;
		memset(data + end, 0, size - end);
		write_shape(data, size, &shape);
	} else {
		mutate_part(rng, data, &shape, choose_part(rng));
	}
	if (!rng_once_in(rng, 32))
		seal_table(data, size);
	return size;
}

/**
 * mutate_tables_in_place - damage one of the tables of a section
 * @rng: random numbers
 * @data: the section
 * @size: its bytes
 */
void mutate_tables_in_place(struct rng *rng, uint8_t *data, size_t size)
{
	struct shape shape;
	uint32_t length;

	/* Half the time the first, else one of those behind */
	while (read_shape(data, size, &shape) && rng_once_in(rng, 2)) {
		memcpy(&length, data + offsetof(struct ftrace_sig_header, size),
		       4);
		if (length < sizeof(struct ftrace_sig_header) || length >= size)
			break;
		data += length;
		size -= length;
	}
	if (!read_shape(data, size, &shape)) {
		mutate_in_place(rng, data, size);
		return;
	}
	if (rng_once_in(rng, 8))
		mutate_header(rng, data);
	else
		mutate_part(rng, data, &shape, choose_part(rng));
	if (!rng_once_in(rng, 32))
		seal_table(data, size);
}
