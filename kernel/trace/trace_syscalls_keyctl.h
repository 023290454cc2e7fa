/* SPDX-License-Identifier: GPL-2.0 */
/* What the arguments of keyctl() are. */
#ifndef _KERNEL_TRACE_SYSCALLS_KEYCTL_H
#define _KERNEL_TRACE_SYSCALLS_KEYCTL_H

/**
 * enum trace_syscall_keyctl_kind - kinds of arguments of keyctl()
 * @KEYCTL_KEY: the number of a key, or of a keyring that has a name
 * @KEYCTL_DEFAULT_KEYRING: a keyring that requested keys go to
 * @KEYCTL_INT: a number with a sign
 * @KEYCTL_NUMBER: a number without
 * @KEYCTL_HEX: a number that nothing is known of
 * @KEYCTL_ID: a user or a group; -1 is none
 * @KEYCTL_PERMISSIONS: who may do what
 * @KEYCTL_ERROR: an errno
 * @KEYCTL_MOVE_FLAGS: flags of KEYCTL_MOVE
 * @KEYCTL_STRING: a string
 * @KEYCTL_TYPE: a string that the kernel reads 32 bytes of
 * @KEYCTL_TAKEN: bytes whose number is the next argument
 * @KEYCTL_GIVEN: a buffer whose room is the next argument
 * @KEYCTL_BUFFERS: several buffers, whose number is the next argument
 * @KEYCTL_CAPABILITY_BYTES: a buffer for sets of bits, whose room is the next argument
 * @KEYCTL_DH_KEYS: three keys
 * @KEYCTL_PKEY_LENGTHS: a key, and how long the data are
 * @KEYCTL_PKEY_DATA: data as long as KEYCTL_PKEY_LENGTHS says
 * @KEYCTL_ADDRESS: something else in memory
 */
enum trace_syscall_keyctl_kind {
	KEYCTL_KEY			= 'k',
	KEYCTL_DEFAULT_KEYRING		= 'q',
	KEYCTL_INT			= 'd',
	KEYCTL_NUMBER			= 'u',
	KEYCTL_HEX			= 'x',
	KEYCTL_ID			= 'i',
	KEYCTL_PERMISSIONS		= 'p',
	KEYCTL_ERROR			= 'e',
	KEYCTL_MOVE_FLAGS		= 'm',
	KEYCTL_STRING			= 's',
	KEYCTL_TYPE			= 't',
	KEYCTL_TAKEN			= 'b',
	KEYCTL_GIVEN			= 'o',
	KEYCTL_BUFFERS			= 'v',
	KEYCTL_CAPABILITY_BYTES		= 'c',
	KEYCTL_DH_KEYS			= 'h',
	KEYCTL_PKEY_LENGTHS		= 'P',
	KEYCTL_PKEY_DATA		= 'B',
	KEYCTL_ADDRESS			= 'a',
};

char trace_syscall_keyctl_kind(const unsigned long *args, int param);

#endif /* _KERNEL_TRACE_SYSCALLS_KEYCTL_H */
