/* Limits of control groups, memory and resource limits, in made-up trees. */
#include "made_tree.h"
#include "measure/host/limits.h"
#include "test.h"

static const double MiB = 1048576.0;

#define V2_ROOT                                                                                                        \
    "24 1 0:22 / /sys rw - sysfs sysfs rw\n30 24 0:26 / /sys/fs/cgroup ro,nosuid,relatime shared:4 - cgroup2 cgroup "  \
    "rw\n"

static void read_and_end(made_tree *tree, host *out) {
    host_read(tree->root, out);
    made_end(tree);
}

static void begin(made_tree *tree) {
    made_begin(tree);
    made_file(tree, "MemTotal: 16384000 kB\nMemFree: 1000000 kB\nMemAvailable: 12000000 kB\nSwapTotal: 0 kB\n",
              "/proc/meminfo");
    made_file(tree, "0-7\n", "/sys/devices/system/cpu/online");
}

/* docker run --cpus 0.5 --memory 256m: the container's group is the root of what it sees. */
static void container_v2(void **state) {
    (void)state;
    made_tree tree;
    host h;
    begin(&tree);
    made_file(&tree, "0::/\n", "/proc/self/cgroup");
    made_file(&tree, V2_ROOT, "/proc/self/mountinfo");
    made_file(&tree, "50000 100000\n", "/sys/fs/cgroup/cpu.max");
    made_file(&tree, "268435456\n", "/sys/fs/cgroup/memory.max");
    made_file(&tree, "max\n", "/sys/fs/cgroup/memory.high");
    made_file(&tree, "52428800\n", "/sys/fs/cgroup/memory.current");
    made_file(&tree, "anon 1\nfile 31457280\nactive_file 1\ninactive_file 20971520\n", "/sys/fs/cgroup/memory.stat");
    made_file(&tree, "usage_usec 5000000\nnr_periods 10\nnr_throttled 4\nthrottled_usec 1250000\n",
              "/sys/fs/cgroup/cpu.stat");
    assert_exact(limits_throttled(tree.root), 1.25);
    read_and_end(&tree, &h);
    assert_exact(h.quota, 0.5);
    assert_string_equal(h.available_why, "cgroup memory limit");
    assert_exact(h.available, (256 - 50 + 20) * MiB); /* of what is used, inactive file pages give way */
    assert_exact(h.cache[ROOF_DRAM], 16384000 * 1024.0);
}

/* Of nested groups the tightest counts, wherever it stands. */
static void nested_v2(void **state) {
    (void)state;
    made_tree tree;
    host h;
    begin(&tree);
    made_file(&tree, "0::/user.slice/a b/c\n", "/proc/self/cgroup");
    made_file(&tree, V2_ROOT, "/proc/self/mountinfo");
    made_file(&tree, "300000 100000\n", "/sys/fs/cgroup/user.slice/cpu.max");
    made_file(&tree, "50000 25000\n", "/sys/fs/cgroup/user.slice/a b/cpu.max");
    made_file(&tree, "max 100000\n", "/sys/fs/cgroup/user.slice/a b/c/cpu.max");
    made_file(&tree, "1073741824\n", "/sys/fs/cgroup/user.slice/a b/c/memory.max");
    made_file(&tree, "536870912\n", "/sys/fs/cgroup/user.slice/memory.high");
    made_file(&tree, "800000000\n", "/sys/fs/cgroup/user.slice/memory.max");
    made_file(&tree, "600000000\n", "/sys/fs/cgroup/user.slice/memory.current");
    made_file(&tree, "throttled_usec 1000000\n", "/sys/fs/cgroup/user.slice/cpu.stat");
    made_file(&tree, "throttled_usec 500000\n", "/sys/fs/cgroup/user.slice/a b/cpu.stat");
    assert_exact(limits_throttled(tree.root), 1.5);
    read_and_end(&tree, &h);
    assert_exact(h.quota, 2.0);
    assert_string_equal(h.available_why, "cgroup memory limit");
    assert_exact(h.available + 1, 1.0); /* above its `high` already: nothing is left */
}

/* Version 1: a folder a controller, the container's path seen as the mount's root; spaces escaped in mountinfo. */
static void container_v1(void **state) {
    (void)state;
    made_tree tree;
    host h;
    begin(&tree);
    made_file(&tree, "9:name=systemd:/docker/f00\n5:memory:/docker/f00\n2:cpu,cpuacct:/docker/f00/inner\n0::/\n",
              "/proc/self/cgroup");
    made_file(&tree,
              "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
              "32 31 0:29 /docker/f00 /sys/fs/cgroup/cpu\\040set,x ro master:11 - cgroup cgroup rw,cpuset\n"
              "33 31 0:30 /docker/f00 /sys/fs/cgroup/cpu\\040cpuacct ro master:11 - cgroup cgroup rw,cpu,cpuacct\n"
              "35 31 0:31 /docker/other /mnt/other rw - cgroup cgroup rw,memory\n"
              "34 31 0:31 /docker/f00 /sys/fs/cgroup/memory ro master:12 - cgroup cgroup rw,memory\n",
              "/proc/self/mountinfo");
    made_file(&tree, "-1\n", "/sys/fs/cgroup/cpu cpuacct/inner/cpu.cfs_quota_us");
    made_file(&tree, "100000\n", "/sys/fs/cgroup/cpu cpuacct/inner/cpu.cfs_period_us");
    made_file(&tree, "150000\n", "/sys/fs/cgroup/cpu cpuacct/cpu.cfs_quota_us");
    made_file(&tree, "100000\n", "/sys/fs/cgroup/cpu cpuacct/cpu.cfs_period_us");
    made_file(&tree, "nr_periods 3\nnr_throttled 1\nthrottled_time 2500000000\n",
              "/sys/fs/cgroup/cpu cpuacct/cpu.stat");
    made_file(&tree, "4096\n", "/mnt/other/memory.limit_in_bytes"); /* another container's */
    made_file(&tree, "268435456\n", "/sys/fs/cgroup/memory/memory.limit_in_bytes");
    made_file(&tree, "104857600\n", "/sys/fs/cgroup/memory/memory.usage_in_bytes");
    made_file(&tree, "inactive_file 5\ntotal_inactive_file 4194304\n", "/sys/fs/cgroup/memory/memory.stat");
    assert_exact(limits_throttled(tree.root), 2.5);
    read_and_end(&tree, &h);
    assert_exact(h.quota, 1.5);
    assert_exact(h.available, (256 - 100 + 4) * MiB);
    assert_string_equal(h.available_why, "cgroup memory limit");
}

/* Without mountinfo: the usual places. An unlimited group of version 1 says a huge number. */
static void usual_places(void **state) {
    (void)state;
    made_tree tree;
    host h;
    begin(&tree);
    made_file(&tree, "5:memory:/x\n2:cpu:/x\n0::/y\n", "/proc/self/cgroup");
    made_file(&tree, "9223372036854771712\n", "/sys/fs/cgroup/memory/x/memory.limit_in_bytes");
    made_file(&tree, "25000\n", "/sys/fs/cgroup/cpu/x/cpu.cfs_quota_us");
    made_file(&tree, "100000\n", "/sys/fs/cgroup/cpu/x/cpu.cfs_period_us");
    made_file(&tree, "300000 100000\n", "/sys/fs/cgroup/y/cpu.max");
    read_and_end(&tree, &h);
    assert_exact(h.quota, 0.25);
    assert_string_equal(h.available_why, "MemAvailable");
    assert_exact(h.available, 12000000 * 1024.0);
}

static void resource_limits(void **state) {
    (void)state;
    made_tree tree;
    host h;
    begin(&tree);
    made_file(&tree, "VmPeak:\t 200000 kB\nVmSize:\t   62144 kB\nVmData:\t 1000 kB\n", "/proc/self/status");
    made_file(&tree,
              "Limit                     Soft Limit           Hard Limit           Units     \n"
              "Max cpu time              unlimited            unlimited            seconds   \n"
              "Max data size             unlimited            unlimited            bytes     \n"
              "Max address space         268435456            unlimited            bytes     \n",
              "/proc/self/limits");
    host_read(tree.root, &h);
    assert_string_equal(h.available_why, "RLIMIT_AS"); /* ulimit -v 262144 */
    assert_exact(h.available, (262144 - 62144) * 1024.0);
    made_file(&tree,
              "Max data size             2024000   unlimited bytes\nMax address space  268435456  unlimited  bytes\n",
              "/proc/self/limits");
    read_and_end(&tree, &h);
    assert_string_equal(h.available_why, "RLIMIT_DATA");
    assert_exact(h.available, 1000000.0);
}

static void old_kernel(void **state) {
    (void)state;
    made_tree tree;
    host h;
    made_begin(&tree);
    made_file(&tree, "MemTotal: 4000 kB\nMemFree: 1000 kB\n", "/proc/meminfo");
    made_file(&tree, "cpu  1 2 3\ncpu0 1\ncpu1 1\ncpu5 1\nintr 5\n",
              "/proc/stat"); /* and no /sys: CPUs are counted here */
    read_and_end(&tree, &h);
    assert_string_equal(h.available_why, "MemFree");
    assert_exact(h.available, 1024000.0);
    assert_true(h.swap < 0);
    assert_int_equal(h.online, 3);
    assert_int_equal(h.allowed[2].cpu, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(container_v2), cmocka_unit_test(nested_v2),       cmocka_unit_test(container_v1),
        cmocka_unit_test(usual_places), cmocka_unit_test(resource_limits), cmocka_unit_test(old_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
