/* Limits: affinity, control groups (v1 and v2), memory, resource limits. Formats: proc(5), cgroups(7), Linux
 * Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst. */
#include "measure/host/limits.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const double no_limit = 1e18; /* "unlimited" of cgroup v1 and RLIM_INFINITY are above */

/* ---- CPUs ---- */

/* Lines "KEY<number>" of a file: "processor : 3", "cpu3 ...". */
static void numbered_lines(const char *root, const char *path, const char *key, cpu_bits *out) {
    tree_lines lines = {.file = tree_open(root, "%s", path)};
    size_t length = strlen(key);
    while (tree_next(&lines)) {
        if (strncmp(lines.line, key, length) != 0)
            continue;
        double cpu = number_of(lines.line + length + strspn(lines.line + length, " \t:"), NULL);
        if (cpu >= 0 && cpu < CPU_BITS && lines.line[length] != ' ')
            cpu_bits_add(out, (int)cpu);
    }
    if (lines.file)
        fclose(lines.file);
}

void limits_online(const char *root, cpu_bits *out) {
    if (tree_cpu_list(root, out, "/sys/devices/system/cpu/online"))
        return;
    numbered_lines(root, "/proc/stat", "cpu", out);
    if (cpu_bits_count(out) == 0)
        numbered_lines(root, "/proc/cpuinfo", "processor", out);
}

static bool affinity(cpu_bits *out) {
    for (int cpus = 1024; cpus <= 1 << 18; cpus *= 2) { /* too small a set is refused with EINVAL */
        cpu_set_t *set = CPU_ALLOC((size_t)cpus);
        size_t size = CPU_ALLOC_SIZE((size_t)cpus);
        if (!set)
            return false;
        CPU_ZERO_S(size, set);
        bool got = sched_getaffinity(0, size, set) == 0;
        for (int cpu = 0; got && cpu < cpus; cpu++)
            if (CPU_ISSET_S((size_t)cpu, size, set))
                cpu_bits_add(out, cpu);
        CPU_FREE(set);
        if (got)
            return true;
    }
    return false;
}

/* The value of a line "KEY:  value" of a file, NULL when there is none. */
static const char *value_of(const char *root, const char *path, const char *key, tree_lines *lines) {
    size_t length = strlen(key);
    const char *value = NULL;
    *lines = (tree_lines){.file = tree_open(root, "%s", path)};
    while (!value && tree_next(lines))
        if (strncmp(lines->line, key, length) == 0 && strchr(" \t:", lines->line[length]))
            value = lines->line + length + strspn(lines->line + length, " \t:");
    if (lines->file)
        fclose(lines->file);
    return value;
}

void limits_allowed(const char *root, cpu_bits *out) {
    tree_lines lines;
    memset(out, 0, sizeof *out);
    if (!*root && affinity(out))
        return;
    const char *list = value_of(root, "/proc/self/status", "Cpus_allowed_list", &lines);
    if (!list || !cpu_bits_parse(list, out))
        memset(out, 0, sizeof *out);
}

/* ---- control groups ---- */

typedef struct group { /* where the files of one controller lie for us */
    char folder[TREE_PATH_MAX];
    size_t least; /* length of the mount point: no folder above it is ours to read */
    bool v2;
} group;

static bool has_word(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

/* Our path in the hierarchy of `controller` (v2: the line "0::"), from /proc/self/cgroup. */
static bool group_path(const char *root, const char *controller, bool v2, char *out, size_t size) {
    tree_lines lines = {.file = tree_open(root, "/proc/self/cgroup")};
    bool found = false;
    while (!found && tree_next(&lines)) {
        char *list = strchr(lines.line, ':'), *path = list ? strchr(list + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = '\0';
        found = v2 ? list[1] == '\0' : has_word(list + 1, controller);
        if (found)
            snprintf(out, size, "%s", path);
    }
    if (lines.file)
        fclose(lines.file);
    return found;
}

/* Undo \040 and its like, in place. */
static void unescape(char *text) {
    char *to = text;
    for (const char *from = text; *from; to++) {
        char *end = NULL;
        char digits[4] = {0};
        if (*from == '\\' && strnlen(from, 4) == 4) {
            memcpy(digits, from + 1, 3);
            unsigned long c = strtoul(digits, &end, 8);
            if (end == digits + 3 && c > 0 && c < 256) {
                *to = (char)c;
                from += 4;
                continue;
            }
        }
        *to = *from++;
    }
    *to = '\0';
}

typedef struct mount {
    char root[TREE_LINE_MAX], point[TREE_LINE_MAX];
} mount;

/* "36 35 98:0 /root /point options - type source super". */
static bool parse_mount(char *line, const char *controller, bool v2, mount *out) {
    char *tail = strstr(line, " - ");
    char type[32], super[TREE_LINE_MAX];
    if (!tail || sscanf(tail, " - %31s %*s %1023s", type, super) != 2)
        return false;
    if (strcmp(type, v2 ? "cgroup2" : "cgroup") != 0 || (!v2 && !has_word(super, controller)))
        return false;
    *tail = '\0';
    if (sscanf(line, "%*s %*s %*s %1023s %1023s", out->root, out->point) != 2)
        return false;
    unescape(out->root);
    unescape(out->point);
    return true;
}

/* Does a mount of `above` show `path`? */
static bool shows(const char *above, const char *path) {
    size_t length = strcmp(above, "/") == 0 ? 0 : strlen(above);
    return strncmp(path, above, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* Where the hierarchy of `controller` is mounted: the first mount that shows `path`, else the first. */
static bool find_mount(const char *root, const char *controller, bool v2, const char *path, mount *out) {
    tree_lines lines = {.file = tree_open(root, "/proc/self/mountinfo")};
    mount at;
    bool found = false, shown = false;
    while (!shown && tree_next(&lines))
        if (parse_mount(lines.line, controller, v2, &at)) {
            shown = shows(at.root, path);
            if (shown || !found)
                *out = at;
            found = true;
        }
    if (lines.file) {
        fclose(lines.file);
        return found;
    }
    snprintf(out->root, sizeof out->root, "/");
    snprintf(out->point, sizeof out->point, "/sys/fs/cgroup%s%s", v2 ? "" : "/",
             v2 ? "" : controller); /* the usual place */
    return true;
}

/* A group's folder: the mount point and our path below the mount's root. A path elsewhere (a container that sees its
 * own group as the root) means the mount point itself. */
static bool find_group(const char *root, const char *controller, bool v2, group *out) {
    char path[TREE_LINE_MAX] = "";
    mount at;
    if (!group_path(root, controller, v2, path, sizeof path) || !find_mount(root, controller, v2, path, &at))
        return false;
    size_t above = strcmp(at.root, "/") == 0 ? 0 : strlen(at.root), point = strlen(at.point);
    while (point > 0 && at.point[point - 1] == '/')
        point--;
    bool below = shows(at.root, path) && !strstr(path, "/..") && point + strlen(path + above) < sizeof out->folder;
    snprintf(out->folder, sizeof out->folder, "%.*s%s", (int)point, at.point, below ? path + above : "");
    out->v2 = v2;
    out->least = point;
    return true;
}

/* Step to the group above. False at the mount point. */
static bool group_up(group *at) {
    size_t length = strlen(at->folder);
    while (length > at->least && at->folder[length - 1] == '/')
        length--;
    if (length <= at->least)
        return false;
    while (length > at->least && at->folder[length - 1] != '/')
        length--;
    while (length > at->least && at->folder[length - 1] == '/')
        length--;
    at->folder[length] = '\0';
    return true;
}

/* A number of a group's file "NAME value" lines. -1: not there. */
static double group_stat(const char *root, const group *at, const char *file, const char *key) {
    char path[TREE_PATH_MAX + 32];
    tree_lines lines;
    snprintf(path, sizeof path, "%s/%s", at->folder, file);
    const char *value = value_of(root, path, key, &lines);
    return value ? number_of(value, NULL) : -1;
}

static double group_number(const char *root, const group *at, const char *file) {
    return tree_number(root, "%s/%s", at->folder, file);
}

static double quota_of(const char *root, const group *at) {
    double quota, period;
    if (at->v2) {
        char text[64], *end;
        if (!tree_text(root, text, sizeof text, "%s/cpu.max", at->folder))
            return 0;
        quota = number_of(text, &end);
        period = number_of(end, NULL);
    } else {
        quota = group_number(root, at, "cpu.cfs_quota_us"); /* -1: none */
        period = group_number(root, at, "cpu.cfs_period_us");
    }
    return quota > 0 && period > 0 ? quota / period : 0;
}

/* Bytes left below this group's limit; `no_limit` when it has none. */
static double memory_left(const char *root, const group *at) {
    double limit = group_number(root, at, at->v2 ? "memory.max" : "memory.limit_in_bytes");
    double used = group_number(root, at, at->v2 ? "memory.current" : "memory.usage_in_bytes");
    double high = at->v2 ? group_number(root, at, "memory.high") : -1; /* above it the kernel reclaims and stalls us */
    if (high >= 0 && (limit < 0 || high < limit))
        limit = high;
    if (limit < 0 || limit >= no_limit)
        return no_limit;
    double file = group_stat(root, at, "memory.stat", at->v2 ? "inactive_file" : "total_inactive_file");
    if (used > 0 && file > 0) /* file contents in memory give way, as MemAvailable assumes too */
        used = file < used ? used - file : 0;
    double left = used > 0 ? limit - used : limit;
    return left > 0 ? left : 0;
}

double limits_quota(const char *root) {
    double least = 0;
    for (int v2 = 0; v2 < 2; v2++) {
        group at;
        bool more = find_group(root, "cpu", v2, &at);
        for (int depth = 0; more && depth < 128; depth++, more = group_up(&at)) {
            double quota = quota_of(root, &at);
            if (quota > 0 && (!(least > 0) || quota < least))
                least = quota;
        }
    }
    return least;
}

double limits_throttled(const char *root) {
    double sum = -1;
    for (int v2 = 0; v2 < 2; v2++) {
        group at;
        bool more = find_group(root, "cpu", v2, &at);
        for (int depth = 0; more && depth < 128; depth++, more = group_up(&at)) {
            double ticks = group_stat(root, &at, "cpu.stat", v2 ? "throttled_usec" : "throttled_time");
            if (ticks >= 0)
                sum = (sum > 0 ? sum : 0) + ticks * (v2 ? 1e-6 : 1e-9);
        }
    }
    return sum;
}

static double group_memory(const char *root) {
    double least = no_limit;
    for (int v2 = 0; v2 < 2; v2++) {
        group at;
        bool more = find_group(root, "memory", v2, &at);
        for (int depth = 0; more && depth < 128; depth++, more = group_up(&at)) {
            double left = memory_left(root, &at);
            if (left < least)
                least = left;
        }
    }
    return least;
}

/* ---- memory ---- */

static double kilobytes(const char *root, const char *path, const char *key) {
    tree_lines lines;
    const char *value = value_of(root, path, key, &lines);
    double number = value ? number_of(value, NULL) : -1;
    return number >= 0 ? number * 1024 : -1;
}

static double resource_limit(const char *root, int resource, const char *name) {
    struct rlimit limit;
    if (!*root)
        return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? (double)limit.rlim_cur : no_limit;
    tree_lines lines;
    const char *value = value_of(root, "/proc/self/limits", name, &lines);
    double number = value ? number_of(value, NULL) : -1;
    return number >= 0 ? number : no_limit;
}

static void lower(host *out, double bytes, const char *why) {
    if (bytes < 0 || bytes >= no_limit || (*out->available_why && bytes >= out->available))
        return;
    out->available = bytes;
    out->available_why = why;
}

void limits_memory(const char *root, host *out) {
    static const struct {
        int resource;
        const char *line, *used, *why;
    } limits[] = {
        {RLIMIT_AS, "Max address space", "VmSize", "RLIMIT_AS"},
        {RLIMIT_DATA, "Max data size", "VmData", "RLIMIT_DATA"},
    };
    double total = kilobytes(root, "/proc/meminfo", "MemTotal");
    double available = kilobytes(root, "/proc/meminfo", "MemAvailable");
    out->cache[ROOF_DRAM] = total > 0 ? total : 0;
    out->swap = kilobytes(root, "/proc/meminfo", "SwapTotal");
    out->available_why = "";
    lower(out, available, "MemAvailable");
    if (available < 0) /* Linux before 3.14 */
        lower(out, kilobytes(root, "/proc/meminfo", "MemFree"), "MemFree");
    lower(out, group_memory(root), "cgroup memory limit");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        double limit = resource_limit(root, limits[i].resource, limits[i].line);
        double used = kilobytes(root, "/proc/self/status", limits[i].used);
        if (limit < no_limit)
            lower(out, used > 0 ? (limit > used ? limit - used : 0) : limit, limits[i].why);
    }
}
