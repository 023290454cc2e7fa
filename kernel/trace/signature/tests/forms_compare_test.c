// SPDX-License-Identifier: GPL-2.0
/* What a form shows cannot change unseen: what is compared of it changes, too. */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/prandom.h>
#include <linux/socket.h>
#include <linux/stringhash.h>

#include "../follow.h"
#include "../forms.h"
#include "builder.h"
#include "form_text.h"

struct seen {
	enum follow_seen	how;
	u64			state;
};

/* A structure in memory where each pointer leads to more of the same */
struct world {
	const struct ftrace_form	*form;
	unsigned long			*object;
	struct trace_seq		*s;
	u8				data[FTRACE_FORM_ROOM];
	u8				key[FTRACE_FORM_ROOM];
	char				text[2][1024];
	u64				state[2];
};

#define WORLD_SIZE	(128 * 1024)

/* Small numbers, some pointers, or one number that has a meaning: a family of addresses */
enum filling {
	FILL_NUMBERS,
	FILL_POINTERS,
	FILL_FAMILY,
};

static void fill_world(struct world *w, struct rnd_state *random, enum filling filling, u16 family)
{
	unsigned int i;

	for (i = 0; i < WORLD_SIZE / sizeof(long); i++) {
		u32 value = prandom_u32_state(random);

		if (filling == FILL_FAMILY)
			w->object[i] = family * (~0UL / U16_MAX);
		else if (filling == FILL_POINTERS && value & 1)
			w->object[i] = (unsigned long)w->object + value % (WORLD_SIZE / 2);
		else
			w->object[i] = value % 256;
	}
}

static void look_at_world(struct world *w, unsigned int nr)
{
	struct ftrace_sig_step step = {
		.kind = FTRACE_SIG_STEP_FORM, .aux = ftrace_form_id(w->form),
	};
	unsigned int size = form_capture(w->form, w->object, w->data, FTRACE_FORM_ROOM);

	trace_seq_init(w->s);
	w->form->print(w->s, w->data, size, 0);
	strscpy(w->text[nr], builder_text(w->s), sizeof(w->text[nr]));
	guard(preempt)();
	follow_see(&step, (unsigned long)w->object, FORM_LENGTH_UNKNOWN, w->key,
		   &w->state[nr]);
}

/* What stands for a path is not the path: see form_put_path(), and the next test */
static bool shows_path(const struct ftrace_form *form)
{
	static const char *const names[] = { "dentry", "file", "inode", "path", "vfsmount" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(form->name, names[i]))
			return true;
	return false;
}

/*
 * Change each word of a structure, those of small ones several times.  Returns how often the
 * text has changed.
 */
static unsigned int change_words(struct kunit *test, struct world *w, struct rnd_state *random)
{
	unsigned int i, changes = 0, nr = DIV_ROUND_UP(w->form->size, sizeof(long));

	look_at_world(w, 0);
	for (i = 0; i < max(nr, 16); i++) {
		unsigned long *word = &w->object[i % nr], old = *word;

		*word = prandom_u32_state(random) & 1 ?
			old ^ BIT(prandom_u32_state(random) % BITS_PER_LONG) :
			(unsigned long)w->object + prandom_u32_state(random) % (WORLD_SIZE / 2);
		look_at_world(w, 1);
		if (strcmp(w->text[0], w->text[1])) {
			changes++;
			KUNIT_EXPECT_NE_MSG(test, w->state[0], w->state[1],
					    "word %u of %s: %s is now %s", i % nr, w->form->name,
					    w->text[0], w->text[1]);
		}
		*word = old;
	}
	return changes;
}

static void forms_compare_words(struct kunit *test)
{
	static const struct {
		enum filling	filling;
		u16		family;
	} rounds[] = {
		{ FILL_NUMBERS }, { FILL_POINTERS }, { FILL_FAMILY, AF_INET }, { FILL_POINTERS },
		{ FILL_FAMILY, AF_INET6 }, { FILL_FAMILY, AF_UNIX }, { FILL_FAMILY, AF_NETLINK },
		{ FILL_FAMILY, AF_PACKET }, { FILL_FAMILY, AF_ALG }, { FILL_FAMILY, AF_CAN },
		{ FILL_FAMILY, AF_VSOCK }, { FILL_FAMILY, AF_XDP },
	};
	struct world *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);
	unsigned int id, round, changes;
	struct rnd_state random;

	KUNIT_ASSERT_NOT_NULL(test, w);
	w->object = kunit_kzalloc(test, WORLD_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, w->object);
	w->s = builder_seq(test);
	prandom_seed_state(&random, 34);
	for (id = 0; (w->form = ftrace_form_by_id(id)); id++) {
		if (shows_path(w->form))
			continue;
		changes = 0;
		KUNIT_ASSERT_LT(test, w->form->size, WORLD_SIZE);
		/* Of a large structure with one member, more rounds may be needed */
		for (round = 0; round < ARRAY_SIZE(rounds) || (!changes && round < 200); round++) {
			unsigned int nr = round % ARRAY_SIZE(rounds);

			fill_world(w, &random, rounds[nr].filling, rounds[nr].family);
			changes += change_words(test, w, &random);
		}
		/* Otherwise this says nothing of it */
		KUNIT_EXPECT_GT_MSG(test, changes, 0, "%s", w->form->name);
		cond_resched();
	}
}

static struct seen see_length(struct kunit *test, const char *name, u32 size,
			      const void *object, unsigned int length)
{
	const struct ftrace_sig_step step = {
		.kind = FTRACE_SIG_STEP_FORM, .aux = ftrace_form_id(form_of(test, name, size)),
	};
	unsigned long scratch[FOLLOW_SCRATCH / sizeof(long)];
	struct seen seen;

	guard(preempt)();
	seen.how = follow_see(&step, (unsigned long)object, length, scratch, &seen.state);
	KUNIT_EXPECT_EQ(test, seen.how, FOLLOW_ALL);
	return seen;
}

#define SEE_FORM(test, name, object)						\
	see_length(test, #name, sizeof(struct name), object, FORM_LENGTH_UNKNOWN)

#define EXPECT_OTHER(test, name, object, before)				\
	KUNIT_EXPECT_NE(test, SEE_FORM(test, name, object).state, (before).state)
#define EXPECT_SAME(test, name, object, before)					\
	KUNIT_EXPECT_EQ(test, SEE_FORM(test, name, object).state, (before).state)

/* A file in a directory, of dentries alone */
struct tree {
	struct dentry	root;
	struct dentry	directory[2];
	struct dentry	entry;
	struct inode	inode;
	struct file	file;
};

static void name_dentry(struct dentry *dentry, struct dentry *parent, const char *name)
{
	strscpy(dentry->d_iname, name, sizeof(dentry->d_iname));
	dentry->d_name.name = dentry->d_iname;
	dentry->d_name.hash_len = hashlen_string(parent, name);
	dentry->d_parent = parent;
}

static struct tree *new_tree(struct kunit *test)
{
	struct tree *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, t);
	name_dentry(&t->root, &t->root, "/");
	name_dentry(&t->directory[0], &t->root, "one");
	name_dentry(&t->directory[1], &t->root, "two");
	name_dentry(&t->entry, &t->directory[0], "name");
	t->entry.d_hash.pprev = &t->entry.d_hash.next;
	t->file.f_path.dentry = &t->entry;
	return t;
}

static void forms_compare_paths(struct kunit *test)
{
	struct tree *t = new_tree(test);
	struct seen dentry = SEE_FORM(test, dentry, &t->entry);
	struct seen file = SEE_FORM(test, file, &t->file);

	KUNIT_EXPECT_STREQ(test, form_text(test, form_of(test, "file", sizeof(t->file)), &t->file,
					   0), "...\"/one/name\"");
	EXPECT_SAME(test, dentry, &t->entry, dentry);
	EXPECT_SAME(test, file, &t->file, file);
	name_dentry(&t->entry, &t->directory[0], "eman");
	EXPECT_OTHER(test, dentry, &t->entry, dentry);
	EXPECT_OTHER(test, file, &t->file, file);
	name_dentry(&t->entry, &t->directory[1], "name");
	EXPECT_OTHER(test, dentry, &t->entry, dentry);
	name_dentry(&t->entry, &t->directory[0], "name");
	EXPECT_SAME(test, dentry, &t->entry, dentry);
	/* Deleted: it has an inode, but is not found by its name any more */
	t->entry.d_inode = &t->inode;
	EXPECT_SAME(test, dentry, &t->entry, dentry);
	t->entry.d_hash.pprev = NULL;
	EXPECT_OTHER(test, dentry, &t->entry, dentry);
	EXPECT_OTHER(test, file, &t->file, file);
	/* A file that is opened */
	t->file.f_path.dentry = NULL;
	file = SEE_FORM(test, file, &t->file);
	t->file.f_path.dentry = &t->directory[0];
	EXPECT_OTHER(test, file, &t->file, file);
}

/* An inode that gets a name, or another mode */
static void forms_compare_inodes(struct kunit *test)
{
	struct tree *t = new_tree(test);
	struct seen inode = SEE_FORM(test, inode, &t->inode);

	t->entry.d_inode = &t->inode;
	t->inode.i_dentry.first = &t->entry.d_u.d_alias;
	EXPECT_OTHER(test, inode, &t->inode, inode);
	inode = SEE_FORM(test, inode, &t->inode);
	t->inode.i_mode = S_IFREG | 0600;
	EXPECT_OTHER(test, inode, &t->inode, inode);
	inode = SEE_FORM(test, inode, &t->inode);
	t->inode.i_size = 4096;
	EXPECT_SAME(test, inode, &t->inode, inode);
}

static u64 see_address(struct kunit *test, const void *address, unsigned int length)
{
	return see_length(test, "sockaddr", sizeof(struct sockaddr), address, length).state;
}

/* Bytes behind an address do not count; how many it has does if that is shown */
static void forms_compare_lengths(struct kunit *test)
{
	char un[110] = "\1\0\0name";
	char in[16] = "\2\0\0\120\177\0\0\1";
	u64 before = see_address(test, un, 7);

	un[7] = 'x';
	KUNIT_EXPECT_EQ(test, see_address(test, un, 7), before);
	KUNIT_EXPECT_NE(test, see_address(test, un, 8), before);
	un[6] = 'x';
	KUNIT_EXPECT_NE(test, see_address(test, un, 7), before);
	KUNIT_EXPECT_NE(test, see_address(test, un, 2), see_address(test, un, 3));
	KUNIT_EXPECT_NE(test, see_address(test, un, FORM_LENGTH_FAULT), see_address(test, un, 0));

	KUNIT_EXPECT_NE(test, see_address(test, in, 4), see_address(test, in, 5));
	KUNIT_EXPECT_NE(test, see_address(test, in, 15), see_address(test, in, 16));
	/* The same address, with room for more */
	KUNIT_EXPECT_EQ(test, see_address(test, in, 16), see_address(test, in, 128));
}

static struct kunit_case forms_compare_cases[] = {
	KUNIT_CASE(forms_compare_words),
	KUNIT_CASE(forms_compare_paths),
	KUNIT_CASE(forms_compare_inodes),
	KUNIT_CASE(forms_compare_lengths),
	{}
};

static struct kunit_suite forms_compare_suite = {
	.name = "ftrace_signature_forms_compare",
	.test_cases = forms_compare_cases,
};

kunit_test_suite(forms_compare_suite);
