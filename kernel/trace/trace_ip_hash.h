/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is known of call sites, in arrays that are indexed by a hash of their address. An
 * entry is one word with address and knowledge together, so every context reads and writes
 * entries without a lock: a reader sees either all of one entry or all of another. An entry
 * of another address is a miss.
 *
 * A word has no room for both an address and anything else. But the hash is invertible: an
 * address times an odd number, modulo the size of a word. The upper bits of the hash are
 * the index, so the entry need not store them. It stores only the lower bits, and has as
 * many bits below them for the knowledge. Index and lower bits together identify the
 * address.
 */
#ifndef _TRACE_IP_HASH_H
#define _TRACE_IP_HASH_H

#include <linux/hash.h>

/* The inverse of GOLDEN_RATIO_PRIME: their product is 1 */
#if BITS_PER_LONG == 32
#define TRACE_IP_HASH_INVERSE	0xebb34377UL
#else
#define TRACE_IP_HASH_INVERSE	0x0e217c1e66c88cc3UL
#endif
static_assert((unsigned long)GOLDEN_RATIO_PRIME * TRACE_IP_HASH_INVERSE == 1);

static __always_inline unsigned long trace_ip_hash(unsigned long ip)
{
	return ip * GOLDEN_RATIO_PRIME;
}

/* Where the entry is in an array of 1 << @bits entries */
static __always_inline unsigned long trace_ip_hash_index(unsigned long hash, unsigned int bits)
{
	return hash >> (BITS_PER_LONG - bits);
}

/* An entry there that has 0 in its lowest @bits bits */
static __always_inline unsigned long trace_ip_hash_key(unsigned long hash, unsigned int bits)
{
	return hash << bits;
}

/* The address whose entry is @entry, which stands at @index */
static inline unsigned long trace_ip_hash_ip(unsigned long index, unsigned long entry,
					     unsigned int bits)
{
	unsigned long hash = index << (BITS_PER_LONG - bits) | entry >> bits;

	return hash * TRACE_IP_HASH_INVERSE;
}

#endif /* _TRACE_IP_HASH_H */
