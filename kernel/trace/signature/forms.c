// SPDX-License-Identifier: GPL-2.0
/* The forms by name and by number. */
#include <linux/kernel.h>

#include "forms.h"
#include "match.h"

#define FORM(name)	extern const struct ftrace_form ftrace_form_##name;
#include "forms/list.h"
#undef FORM

/* A number is an index.  It is the same in each boot of an image, as events need it. */
static const struct ftrace_form *const forms[] = {
#define FORM(name)	&ftrace_form_##name,
#include "forms/list.h"
#undef FORM
};

static_assert(ARRAY_SIZE(forms) < FTRACE_FORM_NONE);

static unsigned int find(const char *name)
{
	unsigned int low = 0, high = ARRAY_SIZE(forms);

	while (low < high) {
		unsigned int middle = (low + high) / 2;
		int order = match_order(name, forms[middle]->name);

		if (!order)
			return middle;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return FTRACE_FORM_NONE;
}

/**
 * ftrace_form_find - find the form of a structure
 * @name: the structure's name, or a typedef's if the structure has none
 * @size: the structure's size
 *
 * Context: any, NMI included.
 * Return: the form, or NULL if it has none.
 */
const struct ftrace_form *ftrace_form_find(const char *name, u32 size)
{
	const struct ftrace_form *form = ftrace_form_by_id(find(name));

	return form && form->size == size ? form : NULL;
}

/**
 * ftrace_form_id - the number of a form in events
 * @form: the form
 *
 * Context: any, NMI included.
 * Return: its number, which is less than FTRACE_FORM_NONE.
 */
unsigned int ftrace_form_id(const struct ftrace_form *form)
{
	return find(form->name);
}

/**
 * ftrace_form_by_id - the form with a number
 * @id: the number, which may be anything
 *
 * Context: any, NMI included.
 * Return: the form, or NULL if none has this number.
 */
const struct ftrace_form *ftrace_form_by_id(unsigned int id)
{
	return id < ARRAY_SIZE(forms) ? forms[id] : NULL;
}

/**
 * ftrace_form_capture - copy what a form shows
 * @form: the form
 * @address: the address of the structure, which may be none
 * @where: where to, aligned to four bytes, and how
 *
 * Context: any, NMI included, with preemption off.
 * Return: the number of bytes; 0 if nothing of the structure can be read.
 */
unsigned int ftrace_form_capture(const struct ftrace_form *form, unsigned long address,
				 const struct form_writer *where)
{
	struct form_writer w = *where;

	return form->capture(&w, address) ? where->room - w.room : 0;
}
