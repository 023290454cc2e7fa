// SPDX-License-Identifier: GPL-2.0
/* Single values of each type; included by ftrace-truth-pointers.c */

enum truth_fruit { TRUTH_APPLE, TRUTH_PEAR = 7, TRUTH_PLUM = -1 };

#define TRUTH_VALUE(name, type, fmt, ...)					\
static __truth void truth_p_##name(type value)					\
{										\
	char shown[TRUTH_SHOWN] __maybe_unused;					\
										\
	truth_entered("value=&" fmt, __VA_ARGS__);				\
	truth_returned("");							\
}

TRUTH_VALUE(s8, s8 *, "%d", get_unaligned(value))
TRUTH_VALUE(u8, const u8 *, "%u", get_unaligned(value))
TRUTH_VALUE(s16, s16 *, "%d", get_unaligned(value))
TRUTH_VALUE(u16, const u16 *, "%u", get_unaligned(value))
TRUTH_VALUE(s32, s32 *, "%d", get_unaligned(value))
TRUTH_VALUE(u32, u32 *, "%u", get_unaligned(value))
TRUTH_VALUE(slong, const long *, "%ld", get_unaligned(value))
TRUTH_VALUE(ulong, unsigned long *, "%s", truth_unsigned(shown, get_unaligned(value)))
TRUTH_VALUE(s64, loff_t *, "%lld", get_unaligned(value))
TRUTH_VALUE(u64, u64 *, "%s", truth_unsigned(shown, get_unaligned(value)))
TRUTH_VALUE(bool, bool *, "%s", *value ? "true" : "false")
TRUTH_VALUE(fruit, enum truth_fruit *, "%s",
	    get_unaligned(value) == TRUTH_APPLE ? "TRUTH_APPLE" :
	    get_unaligned(value) == TRUTH_PEAR ? "TRUTH_PEAR" :
	    get_unaligned(value) == TRUTH_PLUM ? "TRUTH_PLUM" : "5")
TRUTH_VALUE(pointer, void **, "%s", truth_address(shown, get_unaligned(value)))
TRUTH_VALUE(pointers, const char * const *, "%s",
	    truth_address(shown, get_unaligned(value)))

static __truth void truth_p_call(void (**value)(unsigned int unused))
{
	truth_entered("value=&%s", *value == truth_run_strings ?
		      "truth_run_strings [" KBUILD_MODNAME "]" : "?");
	truth_returned("");
}

/* A pointer that is another structure's is followed no farther */
static __truth int *truth_p_value(int **value)
{
	char shown[TRUTH_SHOWN];

	truth_entered("value=&%s", truth_address(shown, *value));
	if (*value)
		truth_returned(" = &%d", **value);
	else
		truth_returned(" = NULL");
	return *value;
}

static void truth_run_numbers(void *at)
{
	static const u64 numbers[] = {
		0, 1, 5, 7, 0x7f, 0x80, 0xff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff,
		0x100000000, 0x8000000000000000, ~0ULL, 0x123456789abcdef0,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		put_unaligned(numbers[i], (u64 *)at);
		truth_p_s8(at);
		truth_p_u8(at);
		truth_p_s16(at);
		truth_p_u16(at);
		truth_p_s32(at);
		truth_p_u32(at);
		truth_p_slong(at);
		truth_p_ulong(at);
		truth_p_s64(at);
		truth_p_u64(at);
	}
}

static void truth_run_others(void *at)
{
	static const int fruits[] = { TRUTH_APPLE, TRUTH_PEAR, TRUTH_PLUM, 5 };
	void (*call)(unsigned int unused) = truth_run_strings;
	int number = -3, *pointer = &number;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fruits); i++) {
		put_unaligned(fruits[i], (int *)at);
		truth_p_fruit(at);
	}
	*(u8 *)at = 1;
	truth_p_bool(at);
	*(u8 *)at = 0;
	truth_p_bool(at);
	put_unaligned((unsigned long)at, (unsigned long *)at);
	truth_p_pointer(at);
	truth_p_pointers(at);
	put_unaligned(0UL, (unsigned long *)at);
	truth_p_pointer(at);
	put_unaligned((unsigned long)-ENOMEM, (unsigned long *)at);
	truth_p_pointers(at);
	truth_p_call(&call);
	truth_p_value(&pointer);
	pointer = NULL;
	truth_p_value(&pointer);
}

static void truth_run_values(unsigned int unused)
{
	u64 numbers[2];

	truth_run_numbers(&numbers[0]);
	truth_run_numbers((u8 *)numbers + 3);
	truth_run_others(&numbers[0]);
	truth_run_others((u8 *)numbers + 5);
	/* Up to the last byte of what is mapped */
	truth_run_numbers(truth_last_page + PAGE_SIZE - sizeof(u64));
}
