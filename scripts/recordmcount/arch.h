/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What depends on the machine: relocations, call instructions, and the
 * calling convention.
 */
#ifndef ARCH_H
#define ARCH_H

#include "elf_object.h"

struct abi_call;
struct abi_value;
struct type_info;

/**
 * struct arch - a machine
 * @name: for messages
 * @machine: EM_*
 * @word_size: bytes in a machine word
 * @elf_class: ELFCLASS32 or ELFCLASS64
 * @class_name: what an object of the other ELF class would be
 * @reloc_type: SHT_REL or SHT_RELA, as objects of this machine have it
 * @reloc_word: relocation type: absolute address, one word
 * @reloc_pc32: relocation type: relative to the place, 32 bits; value is
 *	symbol + addend - place
 * @reg_names: argument registers in the order of the calling convention
 * @nr_regs: number of @reg_names
 * @ret_word: name of the place of a one-word result
 * @ret_pair: name of the place of a two-word result
 * @signatures: the calling convention is supported
 * @nr_conventions: number of conventions that a function may have without DWARF
 *	saying so; see @assign
 * @dwarf_preserved: bits of the DWARF numbers of argument registers that a function has
 *	to restore by some convention
 * @clang_as_gcc: clang passes structures as gcc does
 * @static_regs: gcc may pass more in registers to a static function than regparm says
 * @follows_pairs: gcc numbers argument registers in the order in which they are filled;
 *	only then does it follow values of several (vt_get_decl_and_offset() takes no
 *	PARALLEL, which is what others arrive in)
 * @scalar_align: no integer or x87 number has a larger alignment in bytes
 * @reloc_size: bytes that a relocation changes: those that hold the addend if
 *	its entry does not
 * @call_site: whether a relocation against mcount makes part of a call
 *	instruction; if so, sets *site to its offset and *size to its length
 * @is_pc32: whether a relocation is relative to the place, and 32 bits wide
 * @is_direct_call: whether a direct call instruction of five bytes is at @code
 * @is_direct_jump: whether a direct jump instruction of five bytes is at @code
 * @count_branches: how many jumps and calls to an offset are in @code, if an
 *	instruction begins at each byte
 * @may_loop: whether any bytes of @code, taken for an instruction, jump back, or jump
 *	to an unknown place
 * @reads_result: offset of the instruction in @code that reads the first word of
 *	a result and that is reached, before that word is changed, without a
 *	jump; -1 if that isn't sure
 * @reads_arguments: bits of the argument registers that code at the start of a
 *	function needs; of those not in *changed, to which it adds others.  Those that it
 *	surely changes are added to *written
 * @is_idle: whether a function with this code behind the tracer's call does nothing
 *	but return, at most a constant
 * @hands_over: bytes and offset of the distance that a function with this code behind
 *	the tracer's call jumps, or calls, with all arguments in their places; 0 if it
 *	does not
 * @may_jump: whether any bytes of @code, taken for an instruction, jump to an offset
 *	from @first to @last
 * @landing_pad: bytes of the landing pad instruction (endbr) at @code, or 0
 * @dwarf_reg: index of the argument register with a DWARF number, or -1
 * @frame_reg: DWARF number of the frame pointer
 * @stack_reg: DWARF number of the stack pointer
 * @classify: classes of a type by its layout, see abi.h
 * @assign: places of all parameters of a function by one of the conventions,
 *	see abi.h; false if the function cannot have that one
 */
struct arch {
	const char	*name;
	unsigned int	machine;
	unsigned int	word_size;
	unsigned char	elf_class;
	const char	*class_name;
	uint32_t	reloc_type;
	uint32_t	reloc_word;
	uint32_t	reloc_pc32;
	const char	*const *reg_names;
	unsigned int	nr_regs;
	const char	*ret_word;
	const char	*ret_pair;
	bool		signatures;
	unsigned int	nr_conventions;
	uint32_t	dwarf_preserved;
	bool		clang_as_gcc;
	bool		static_regs;
	bool		follows_pairs;
	unsigned int	scalar_align;

	unsigned int (*reloc_size)(uint32_t type);
	bool (*call_site)(const struct section *sec, const struct reloc *rel,
			  uint64_t *site, unsigned int *size);
	bool (*is_pc32)(uint32_t type);
	bool (*is_direct_call)(const unsigned char *code);
	bool (*is_direct_jump)(const unsigned char *code);
	unsigned int (*count_branches)(const unsigned char *code, size_t size,
				       uint64_t target);
	bool (*may_loop)(const unsigned char *code, size_t size);
	int (*reads_result)(const unsigned char *code, size_t size);
	unsigned int (*reads_arguments)(const unsigned char *code, size_t size,
					unsigned int *changed,
					unsigned int *written);
	bool (*is_idle)(const unsigned char *code, size_t size);
	unsigned int (*hands_over)(const unsigned char *code, size_t size,
				   unsigned int *field, bool *is_call);
	bool (*may_jump)(const unsigned char *code, size_t size, uint64_t first,
			 uint64_t last);
	unsigned int (*landing_pad)(const unsigned char *code, size_t size);
	int (*dwarf_reg)(unsigned int number);
	unsigned int	frame_reg;
	unsigned int	stack_reg;
	void (*classify)(const struct type_info *type, struct abi_value *value);
	bool (*assign)(struct abi_call *call, unsigned int convention);
};

const struct arch *arch_find(unsigned int machine);

extern const struct arch arch_i386;
extern const struct arch arch_x86_64;

#endif /* ARCH_H */
