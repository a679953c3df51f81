/* Memory for the threads: aligned, all of it usable, fenced, and on the pages it was asked for. The kernel is asked. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

#include "measure/engine/team.h"

static const size_t huge_bytes = (size_t)2 << 20;

static bool is_mapped(const unsigned char *address) {
    unsigned char resident;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *start = (unsigned char *)((uintptr_t)address / page * page);
    return mincore(start, 1, &resident) == 0 || errno != ENOMEM;
}

/* Whether reading there ends a process. */
static bool is_forbidden(const volatile unsigned char *address) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        signal(SIGSEGV, SIG_DFL);
        (void)*address;
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

static void every_byte_is_there_and_nothing_beyond(void **state) {
    (void)state;
    const size_t sizes[] = {1, 4096, 100000, huge_bytes, huge_bytes + 1, 3 * huge_bytes};
    for (int i = 0; i < 12; i++) {
        block taken;
        size_t size = sizes[i / 2];
        assert_int_equal(block_take(&taken, size, i % 2), 0);
        assert_int_equal(taken.size, size);
        assert_int_equal((uintptr_t)taken.bytes % huge_bytes, 0);
        for (size_t at = 0; at < size; at += 997) {
            assert_int_equal(taken.bytes[at], 0);
            taken.bytes[at] = 1;
        }
        taken.bytes[size - 1] = 1;
        assert_true(is_forbidden(taken.bytes - 1));
        assert_true(is_forbidden(taken.bytes + (size + huge_bytes - 1) / huge_bytes * huge_bytes));
        unsigned char *was = taken.bytes;
        block_give(&taken);
        assert_null(taken.bytes);
        assert_false(is_mapped(was));
        assert_false(is_mapped(was - 1));
        block_give(&taken); /* twice does no harm */
    }
}

static void taking_and_giving_leaves_nothing(void **state) {
    (void)state;
    for (int i = 0; i < 20000; i++) { /* 4 MiB each: 80 GB if they stayed */
        block taken;
        assert_int_equal(block_take(&taken, 2 * huge_bytes, i % 2), 0);
        taken.bytes[0] = 1;
        block_give(&taken);
    }
}

static void too_much_is_refused(void **state) {
    (void)state;
    block taken;
    assert_int_equal(block_take(&taken, 0, false), -1);
    assert_null(taken.bytes);
    assert_int_equal(block_take(&taken, SIZE_MAX, true), -1);
    assert_int_equal(block_take(&taken, SIZE_MAX / 4, true), -1); /* more than any address space */
    assert_null(taken.bytes);
    assert_int_equal(taken.size, 0);
    block_give(&taken);
}

static void touch(const block *taken) {
    for (size_t at = 0; at < taken->size; at += 4096)
        taken->bytes[at] = 1;
}

/* Small pages are always to be had; huge ones where the system gives them: then nearly all of the block is on them. */
static void the_share_of_huge_pages_is_told(void **state) {
    (void)state;
    block small, large;
    assert_int_equal(block_take(&small, 4 * huge_bytes, false), 0);
    assert_int_equal(block_take(&large, 4 * huge_bytes, true), 0);
    double untouched = block_huge_share(&large);
    assert_exact(untouched, -1); /* no page, no share */
    touch(&small);
    touch(&large);
    double share = block_huge_share(&large);
    if (share != -1) { /* -1: a system that does not tell */
        assert_exact(block_huge_share(&small), 0);
        assert_true(share >= 0 && share <= 1);
        assert_exact(share * 4, floor(share * 4)); /* whole pages of 2 MiB, all 8 MiB touched */
    }
    block_give(&small);
    block_give(&large);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_is_there_and_nothing_beyond),
        cmocka_unit_test(taking_and_giving_leaves_nothing),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(the_share_of_huge_pages_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
