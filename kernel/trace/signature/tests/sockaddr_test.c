// SPDX-License-Identifier: GPL-2.0
/* Addresses of sockets: of each family, and with each length. */
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/netlink.h>
#include <linux/socket.h>
#include <linux/un.h>
#include <linux/vmalloc.h>
#include <uapi/linux/can.h>
#include <uapi/linux/if_alg.h>
#include <uapi/linux/if_packet.h>
#include <uapi/linux/if_xdp.h>
#include <uapi/linux/vm_sockets.h>

#include "../constants.h"
#include "builder.h"
#include "form_text.h"

/* The text of an address with so many bytes */
static const char *text_of(struct kunit *test, const void *address, unsigned int length)
{
	const struct ftrace_form *form = form_of(test, "sockaddr", sizeof(struct sockaddr));
	struct trace_seq *s = builder_seq(test);
	u8 data[FTRACE_FORM_ROOM];
	const struct form_writer where = {
		.to = (char *)data, .room = sizeof(data), .length = length,
	};
	unsigned int size;

	scoped_guard(preempt)
		size = ftrace_form_capture(form, (unsigned long)address, &where);
	KUNIT_EXPECT_NE(test, size, 0);
	form->print(s, data, size, 0);
	return builder_text(s);
}

#define EXPECT_ADDRESS(test, address, length, text)				\
	KUNIT_EXPECT_STREQ(test, text_of(test, address, length), text)

/* The length is not known: the type, or the family, tells how much there is */
static void sockaddr_whole(struct kunit *test)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(80),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(443),
				    .sin6_addr = IN6ADDR_LOOPBACK_INIT, .sin6_scope_id = 3 };
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK, .nl_pid = 412, .nl_groups = 3 };
	struct sockaddr_ll ll = { .sll_family = AF_PACKET, .sll_protocol = htons(0x0806),
				  .sll_ifindex = 2 };
	struct sockaddr_alg alg = { .salg_family = AF_ALG, .salg_type = "hash",
				    .salg_name = "sha256" };
	struct sockaddr_can can = { .can_family = AF_CAN, .can_ifindex = 4 };
	struct sockaddr_vm vm = { .svm_family = AF_VSOCK, .svm_cid = 3, .svm_port = 1024 };
	struct sockaddr_xdp xdp = { .sxdp_family = AF_XDP, .sxdp_flags = 2, .sxdp_ifindex = 5,
				    .sxdp_queue_id = 1 };
	struct __kernel_sockaddr_storage storage = {};

	memcpy(&storage, &in, sizeof(in));
	EXPECT_TEXT(test, "sockaddr_in", &in, "{AF_INET, 127.0.0.1:80}");
	EXPECT_TEXT(test, "sockaddr_in6", &in6, "{AF_INET6, [::1]:443, scope=3}");
	EXPECT_TEXT(test, "sockaddr_nl", &nl, "{AF_NETLINK, pid=412, groups=0x3}");
	EXPECT_TEXT(test, "sockaddr_ll", &ll, "{AF_PACKET, protocol=0x0806, ifindex=2}");
	EXPECT_TEXT(test, "sockaddr_alg", &alg, "{AF_ALG, type=\"hash\", name=\"sha256\"}");
	EXPECT_TEXT(test, "sockaddr_can", &can, "{AF_CAN, ifindex=4}");
	EXPECT_TEXT(test, "sockaddr_vm", &vm, "{AF_VSOCK, cid=3, port=1024}");
	EXPECT_TEXT(test, "sockaddr_xdp", &xdp, "{AF_XDP, flags=0x2, ifindex=5, queue_id=1}");
	EXPECT_TEXT(test, "__kernel_sockaddr_storage", &storage, "{AF_INET, 127.0.0.1:80}");
	EXPECT_TEXT(test, "sockaddr", (struct sockaddr *)&in, "{AF_INET, 127.0.0.1:80}");
}

static void sockaddr_unix(struct kunit *test)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/tmp/x" };

	EXPECT_TEXT(test, "sockaddr_un", &un, "{AF_UNIX, \"/tmp/x\"}");
	/* A path ends at its NUL, or where the address ends */
	EXPECT_ADDRESS(test, &un, 2 + 7, "{AF_UNIX, \"/tmp/x\"}");
	EXPECT_ADDRESS(test, &un, sizeof(un), "{AF_UNIX, \"/tmp/x\"}");
	EXPECT_ADDRESS(test, &un, 2 + 4, "{AF_UNIX, \"/tmp\"}");
	EXPECT_ADDRESS(test, &un, 2 + 1, "{AF_UNIX, \"/\"}");
	/* bind() of this address chooses a name: what stands behind it is not one */
	EXPECT_ADDRESS(test, &un, 2, "{AF_UNIX}");

	memset(un.sun_path, 'p', sizeof(un.sun_path));
	EXPECT_TEXT(test, "sockaddr_un", &un, "{AF_UNIX, \"%.108s\"}", un.sun_path);
	EXPECT_ADDRESS(test, &un, 2 + 3, "{AF_UNIX, \"ppp\"}");

	memcpy(un.sun_path, "\0a\0b\n", 6);
	EXPECT_TEXT(test, "sockaddr_un", &un, "{AF_UNIX, no path}");
	EXPECT_ADDRESS(test, &un, 2 + 6, "{AF_UNIX, @\"a\\0b\\n\\0\"}");
	EXPECT_ADDRESS(test, &un, 2 + 2, "{AF_UNIX, @\"a\"}");
	EXPECT_ADDRESS(test, &un, 2 + 1, "{AF_UNIX, @\"\"}");
	memset(un.sun_path + 1, 'q', sizeof(un.sun_path) - 1);
	KUNIT_EXPECT_EQ(test, strlen(text_of(test, &un, sizeof(un))),
			strlen("{AF_UNIX, @\"\"}") + 107);
	/* A length that no address has */
	KUNIT_EXPECT_EQ(test, strlen(text_of(test, &un, 4096)),
			strlen("{AF_UNIX, @\"\"}") + 107);
}

/* What is too short for its family is not shown: nothing takes it for an address */
static void sockaddr_short(struct kunit *test)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(80) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(443),
				    .sin6_addr = IN6ADDR_LOOPBACK_INIT, .sin6_scope_id = 3 };
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK, .nl_pid = 412, .nl_groups = 3 };
	struct sockaddr_alg alg = { .salg_family = AF_ALG, .salg_type = "hash",
				    .salg_name = "sha256" };
	struct sockaddr other = { .sa_family = AF_UNSPEC };

	EXPECT_ADDRESS(test, &in, 0, "{0 bytes}");
	EXPECT_ADDRESS(test, &in, 1, "{1 bytes}");
	EXPECT_ADDRESS(test, &in, 2, "{AF_INET, 2 bytes}");
	EXPECT_ADDRESS(test, &in, 15, "{AF_INET, 15 bytes}");
	EXPECT_ADDRESS(test, &in, 16, "{AF_INET, 0.0.0.0:80}");
	EXPECT_ADDRESS(test, &in6, 23, "{AF_INET6, 23 bytes}");
	EXPECT_ADDRESS(test, &in6, 24, "{AF_INET6, [::1]:443}");
	EXPECT_ADDRESS(test, &in6, 27, "{AF_INET6, [::1]:443}");
	EXPECT_ADDRESS(test, &in6, 28, "{AF_INET6, [::1]:443, scope=3}");
	EXPECT_ADDRESS(test, &nl, 11, "{AF_NETLINK, 11 bytes}");
	EXPECT_ADDRESS(test, &nl, 12, "{AF_NETLINK, pid=412, groups=0x3}");
	EXPECT_ADDRESS(test, &alg, 24, "{AF_ALG, 24 bytes}");
	EXPECT_ADDRESS(test, &alg, 27, "{AF_ALG, type=\"hash\", name=\"sha\"}");
	EXPECT_ADDRESS(test, &alg, sizeof(alg), "{AF_ALG, type=\"hash\", name=\"sha256\"}");
	EXPECT_ADDRESS(test, &other, 2, "{AF_UNSPEC}");
}

static void sockaddr_families(struct kunit *test)
{
	struct sockaddr other = { .sa_family = AF_BLUETOOTH };
	unsigned int family;

	if (ftrace_family_by_name("address_family"))
		EXPECT_TEXT(test, "sockaddr", &other, "{AF_BLUETOOTH}");
	else
		EXPECT_TEXT(test, "sockaddr", &other, "{family=31}");
	for (family = 0; family < AF_MAX && ftrace_family_by_name("address_family"); family++) {
		other.sa_family = family;
		KUNIT_EXPECT_TRUE_MSG(test, strstarts(text_of(test, &other, 2), "{AF_"), "%u",
				      family);
	}
	other.sa_family = 77;
	EXPECT_TEXT(test, "sockaddr", &other, "{family=77}");
}

/* An address at the end of what can be read is read no further than it is long */
static void sockaddr_unreadable(struct kunit *test)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/tmp/x" };
	char *page = vmalloc(PAGE_SIZE), *end = page + PAGE_SIZE;
	struct sockaddr_in in = { .sin_family = AF_INET };

	KUNIT_ASSERT_NOT_NULL(test, page);
	memcpy(end - 6, &un, 6);
	EXPECT_ADDRESS(test, end - 6, 6, "{AF_UNIX, \"/tmp\"}");
	EXPECT_ADDRESS(test, end - 6, 7, "{AF_UNIX, ?}");
	memcpy(end - 4, &in, 4);
	EXPECT_ADDRESS(test, end - 4, 16, "{AF_INET, ?}");
	EXPECT_ADDRESS(test, end - 4, 4, "{AF_INET, 4 bytes}");
	vfree(page);
}

static struct kunit_case sockaddr_cases[] = {
	KUNIT_CASE(sockaddr_whole),
	KUNIT_CASE(sockaddr_unix),
	KUNIT_CASE(sockaddr_short),
	KUNIT_CASE(sockaddr_families),
	KUNIT_CASE(sockaddr_unreadable),
	{}
};

static struct kunit_suite sockaddr_suite = {
	.name = "ftrace_signature_sockaddr",
	.test_cases = sockaddr_cases,
};

kunit_test_suite(sockaddr_suite);
