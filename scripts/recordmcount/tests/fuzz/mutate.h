/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Mutators that know what they damage, for libFuzzer.
 */
#ifndef MUTATE_H
#define MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libFuzzer's own mutator, and what it calls in us */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned int seed);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Random numbers: all that a mutator does follows from its seed. */
struct rng {
	uint64_t	state;
};

static inline uint32_t rng_next(struct rng *rng)
{
	/* splitmix64 */
	uint64_t z = rng->state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return (z ^ z >> 31) >> 16;
}

/* 0 to @below - 1; @below is not 0 */
static inline uint32_t rng_below(struct rng *rng, uint32_t below)
{
	return rng_next(rng) % below;
}

static inline bool rng_once_in(struct rng *rng, uint32_t many)
{
	return !rng_below(rng, many);
}

uint64_t mutate_number(struct rng *rng, uint64_t old, unsigned int bits);
void mutate_words(struct rng *rng, uint8_t *data, size_t size);
void mutate_in_place(struct rng *rng, uint8_t *data, size_t size);

size_t mutate_table(struct rng *rng, uint8_t *data, size_t size,
		    size_t max_size);
void mutate_tables_in_place(struct rng *rng, uint8_t *data, size_t size);
bool seal_table(uint8_t *data, size_t size);

#endif /* MUTATE_H */
