/* Memory for the threads: mapped, aligned, on huge pages when asked, with a forbidden page on either side. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "measure/engine/team.h"

/* A huge page of x86-64, and of AArch64 with pages of 4 KiB. Where it is another, block_huge_share() tells. */
static const size_t HUGE_BYTES = (size_t)2 << 20;

static size_t page_bytes(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* What is really mapped: whole huge pages, or the last part would stay on small ones. */
static size_t mapped_bytes(size_t size) {
    return (size + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES;
}

static unsigned char *up_to(unsigned char *address, size_t step) {
    return address + (step - (uintptr_t)address % step) % step;
}

int block_take(block *out, size_t size, bool huge) {
    *out = (block){0};
    size_t page = page_bytes();
    if (size == 0 || size > SIZE_MAX / 2 - 2 * HUGE_BYTES - page)
        return -1;
    /* Reserve enough to align in, then give back all but the block and its guard pages. The guards also keep the kernel
     * from joining neighbours into one mapping, whose huge pages could not be told apart. */
    size_t mapped = mapped_bytes(size), reserved = mapped + HUGE_BYTES + 2 * page;
    unsigned char *all = mmap(NULL, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return -1;
    unsigned char *bytes = up_to(all + page, HUGE_BYTES), *end = bytes + mapped + page;
    if (bytes - page > all)
        munmap(all, (size_t)(bytes - page - all));
    if (all + reserved > end)
        munmap(end, (size_t)(all + reserved - end));
    *out = (block){.bytes = bytes, .size = size};
    if (mprotect(bytes, mapped, PROT_READ | PROT_WRITE) != 0) {
        block_give(out);
        return -1;
    }
    /* A kernel without huge pages refuses: then they are small. */
    madvise(bytes, mapped, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    return 0;
}

void block_give(block *taken) {
    size_t page = page_bytes();
    if (taken->bytes)
        munmap(taken->bytes - page, mapped_bytes(taken->size) + 2 * page);
    taken->bytes = NULL;
    taken->size = 0;
}

/* Kilobytes of the mappings inside a block, from lines of /proc/self/smaps. */
typedef struct share {
    double resident, huge; /* huge: -1 before the first line of it */
    bool inside;
} share;

static void share_line(share *sum, const char *line, const block *taken) {
    unsigned long long from, to;
    double kilobytes;
    if (sscanf(line, "%llx-%llx ", &from, &to) == 2) {
        uintptr_t begin = (uintptr_t)taken->bytes;
        sum->inside = from < begin + mapped_bytes(taken->size) && to > begin;
    } else if (sum->inside && sscanf(line, "Rss: %lf kB", &kilobytes) == 1) {
        sum->resident += kilobytes;
    } else if (sum->inside && sscanf(line, "AnonHugePages: %lf kB", &kilobytes) == 1) {
        sum->huge = (sum->huge < 0 ? 0 : sum->huge) + kilobytes;
    }
}

double block_huge_share(const block *taken) {
    FILE *file = fopen("/proc/self/smaps", "re");
    if (!file)
        return -1;
    share sum = {.huge = -1};
    char line[512];
    bool whole = true; /* the rest of a line that did not fit is no line */
    while (fgets(line, sizeof line, file)) {
        if (whole)
            share_line(&sum, line, taken);
        whole = strchr(line, '\n') != NULL;
    }
    fclose(file);
    if (sum.huge < 0 || sum.resident <= 0)
        return -1;
    return sum.huge < sum.resident ? sum.huge / sum.resident : 1;
}
