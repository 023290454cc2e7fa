// SPDX-License-Identifier: GPL-2.0
/*
 * Making a table of signatures.
 */
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "type_form.h"

/* FNV-1a */
static uint32_t hash_bytes(const unsigned char *data, size_t size)
{
	uint32_t hash = 2166136261u;

	while (size--)
		hash = (hash ^ *data++) * 16777619u;
	return hash ^ hash >> 15;
}

static struct pool_slot *find_slot(const struct pool *pool, uint32_t hash,
				   const void *data, size_t size)
{
	size_t i = hash & (pool->nr_slots - 1);

	while (pool->slots[i].used) {
		const struct pool_slot *slot = &pool->slots[i];

		if (slot->hash == hash && slot->size == size &&
		    !memcmp(pool->data + slot->offset, data, size))
			break;
		i = (i + 1) & (pool->nr_slots - 1);
	}
	return &pool->slots[i];
}

static void grow_slots(struct pool *pool)
{
	struct pool_slot *old = pool->slots;
	size_t nr_old = pool->nr_slots;

	pool->nr_slots = nr_old ? 2 * nr_old : 256;
	pool->slots = xcalloc(pool->nr_slots, sizeof(*pool->slots));
	for (size_t i = 0; i < nr_old; i++)
		if (old[i].used)
			*find_slot(pool, old[i].hash,
				   pool->data + old[i].offset,
				   old[i].size) = old[i];
	free(old);
}

static void append(struct pool *pool, const void *data, size_t size)
{
	if (size > pool->room - pool->size) {
		pool->room = 2 * (pool->room + size);
		pool->data = xrealloc(pool->data, pool->room);
	}
	memcpy(pool->data + pool->size, data, size);
	pool->size += size;
}

/**
 * pool_add - find or append a piece of data
 * @pool: where
 * @data: the piece
 * @size: its size in bytes, not 0
 *
 * Return: offset of the piece in the pool.
 */
size_t pool_add(struct pool *pool, const void *data, size_t size)
{
	uint32_t hash = hash_bytes(data, size);
	struct pool_slot *slot;

	if (2 * pool->nr_used >= pool->nr_slots)
		grow_slots(pool);
	slot = find_slot(pool, hash, data, size);
	if (!slot->used) {
		*slot = (struct pool_slot){ hash, pool->size, size, true };
		pool->nr_used++;
		append(pool, data, size);
	}
	return slot->offset;
}

/**
 * pool_free - free a pool
 * @pool: the pool
 */
void pool_free(struct pool *pool)
{
	free(pool->data);
	free(pool->slots);
	memset(pool, 0, sizeof(*pool));
}

/**
 * table_init - begin an empty table
 * @table: the table; has the empty string and the type void
 */
void table_init(struct table *table)
{
	static const uint32_t none[] = { FTRACE_SIG_TYPE(FTRACE_SIG_VOID, 0, 0), 0 };

	memset(table, 0, sizeof(*table));
	pool_add(&table->strings, "", 1);
	pool_add(&table->types, none, sizeof(none));
}

/**
 * table_free - free a table
 * @table: the table
 */
void table_free(struct table *table)
{
	pool_free(&table->strings);
	pool_free(&table->types);
	pool_free(&table->protos);
	free(table->sigs);
	memset(table, 0, sizeof(*table));
}

/**
 * table_string - offset of a string
 * @table: the table
 * @string: the string; NULL means the empty one
 *
 * Return: the offset, TABLE_NONE if it doesn't fit in 24 bits or has control
 * characters.
 */
uint32_t table_string(struct table *table, const char *string)
{
	size_t offset;

	if (!string || !*string)
		return 0;
	for (const char *c = string; *c; c++)
		if (!is_printable(*c))
			return TABLE_NONE;
	offset = pool_add(&table->strings, string, strlen(string) + 1);
	return offset > FTRACE_SIG_ID_MAX ? TABLE_NONE : offset;
}

/**
 * table_type - id of a type
 * @table: the table
 * @words: the type
 * @nr: number of @words
 *
 * Return: the id, TABLE_NONE if it doesn't fit in 24 bits.
 */
uint32_t table_type(struct table *table, const uint32_t *words, size_t nr)
{
	size_t id = pool_add(&table->types, words, nr * 4) / 4;

	return id > FTRACE_SIG_ID_MAX ? TABLE_NONE : id;
}

/**
 * table_type_meant - the type of a table behind typedefs and qualifiers
 * @table: the table
 * @id: the type
 */
const uint32_t *table_type_meant(const struct table *table, uint32_t id)
{
	return type_meant((const uint32_t *)table->types.data, id);
}

/**
 * table_proto - offset of a prototype
 * @table: the table
 * @words: the prototype: struct ftrace_sig_proto and what follows it
 * @nr: number of @words
 *
 * Return: the offset in bytes, TABLE_NONE if there is no room for it.
 */
uint32_t table_proto(struct table *table, const uint32_t *words, size_t nr)
{
	size_t offset = pool_add(&table->protos, words, nr * 4);

	return offset > INT32_MAX ? TABLE_NONE : offset;
}

/**
 * table_site - append a call site
 * @table: the table
 * @proto: offset of its prototype
 *
 * The caller keeps the address.
 */
void table_site(struct table *table, uint32_t proto)
{
	GROW(table->sigs, table->nr_sites, table->room);
	table->sigs[table->nr_sites++] = proto;
}

static void put_part(unsigned char *to, const void *from, size_t size)
{
	if (size)
		memcpy(to, from, size);
}

/**
 * table_build - put the parts of a table together
 * @table: the table
 * @word_size: bytes in a machine word
 * @flags: FTRACE_SIG_F_*
 * @size: set to the size in bytes
 *
 * Return: the table, to be freed by the caller; its ips are zero.
 */
unsigned char *table_build(const struct table *table, unsigned int word_size,
			   unsigned int flags, size_t *size)
{
	size_t ip_size = flags & FTRACE_SIG_F_OBJECT ? 8 : 4;
	size_t front = table_front_size(flags);
	struct ftrace_sig_header *h;
	unsigned char *block;
	uint64_t end = front + table->nr_sites * (uint64_t)(ip_size + 4) +
		       table->protos.size + table->types.size +
		       table->strings.size;

	end = align_up(end, 8);
	if (end > UINT32_MAX)
		return NULL;
	block = xcalloc(1, end);
	h = (struct ftrace_sig_header *)block;
	h->magic = FTRACE_SIG_MAGIC;
	h->version = FTRACE_SIG_VERSION;
	h->word_size = word_size;
	h->flags = flags;
	h->size = end;
	h->nr_sites = table->nr_sites;
	h->ips = front;
	h->sigs = h->ips + table->nr_sites * ip_size;
	h->protos = h->sigs + table->nr_sites * 4;
	h->types = h->protos + table->protos.size;
	h->strings = h->types + table->types.size;
	h->strings_end = h->strings + table->strings.size;
	put_part(block + h->sigs, table->sigs, table->nr_sites * 4);
	put_part(block + h->protos, table->protos.data, table->protos.size);
	put_part(block + h->types, table->types.data, table->types.size);
	put_part(block + h->strings, table->strings.data, table->strings.size);
	h->checksum = table_checksum(h);
	*size = end;
	return block;
}

/* The CRC of IEEE 802.3, as zlib computes it, of what follows @crc */
static uint32_t checksum(uint32_t crc, const void *data, size_t size)
{
	static uint32_t step[256];
	const unsigned char *p = data;

	if (!step[1]) {
		for (uint32_t i = 0; i < 256; i++) {
			uint32_t c = i;

			for (int bit = 0; bit < 8; bit++)
				c = c >> 1 ^ (c & 1 ? 0xedb88320u : 0);
			step[i] = c;
		}
	}
	crc = ~crc;
	while (size--)
		crc = crc >> 8 ^ step[(crc ^ *p++) & 0xff];
	return ~crc;
}

/**
 * table_checksum - the checksum that a table should have
 * @h: the table, whose sizes were checked
 *
 * Return: the checksum of all but the call sites if they get relocated; see
 * struct ftrace_sig_header.
 */
uint32_t table_checksum(const struct ftrace_sig_header *h)
{
	struct ftrace_sig_header header = *h;
	uint32_t start = h->flags & FTRACE_SIG_F_APART ? sizeof(*h) : h->sigs;

	header.checksum = 0;
	return checksum(checksum(0, &header, sizeof(header)),
			(const unsigned char *)h + start, h->size - start);
}
