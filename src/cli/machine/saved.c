/* Where measurements are saved, how they are read and written. The environment is read here. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "cli/machine/saved.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/out/files.h"
#include "cli/say/calibration.h"
#include "roofline_read.h"

enum { DEVICE_NAME = 16, MACHINE_FILE_MAX = 4 << 20 };

static const double WORSE = 0.97;

int saved_folder(char buffer[SAVED_PATH], roof_error *error) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int length = -1;
    if (data && data[0] == '/') /* relative ones are to be ignored: XDG Base Directory Specification */
        length = snprintf(buffer, SAVED_PATH, "%s/roofline/machines/", data);
    else if (home && home[0] == '/')
        length = snprintf(buffer, SAVED_PATH, "%s/.local/share/roofline/machines/", home);
    if (length >= 0 && length < SAVED_PATH - SAVED_NAME)
        return 0;
    roof_fail(error, ROOF_EIO,
              length < 0 ? "no place for measurements: HOME is not set to a folder"
                         : "no place for measurements: the name of the home folder is too long");
    roof_hint(error, "set HOME or XDG_DATA_HOME, or say --save FILE or --no-save");
    return -1;
}

int saved_path(const char *device, char buffer[SAVED_PATH], roof_error *error) {
    char host[SAVED_NAME];
    if (saved_folder(buffer, error))
        return -1;
    roof_measure_host(host, sizeof host - DEVICE_NAME);
    size_t used = strlen(buffer);
    bool cpu = !device || strcmp(device, "cpu") == 0;
    snprintf(buffer + used, SAVED_PATH - used, "%s%s%.14s.json", host, cpu ? "" : "-", cpu ? "" : device);
    for (char *at = buffer + used; *at; at++)
        if (*at == ':' || *at == '/')
            *at = '-';
    return 0;
}

bool saved_is_name(const char *name) {
    return strcmp(name, "this") == 0 || strcmp(name, "this:1") == 0 || strncmp(name, "this-", 5) == 0;
}

roof_machine_file *machine_file_read(const char *path, roof_error *error) {
    size_t length;
    char *json = read_whole(path, MACHINE_FILE_MAX, &length, error);
    if (!json)
        return NULL;
    roof_machine_file *file = roof_read_machine(json, length, error);
    free(json);
    if (!file)
        name_file(path, error);
    return file;
}

static int fail_unmeasured(const char *name, roof_error *error) {
    if (strncmp(name, "this-", 5) != 0) {
        roof_fail(error, ROOF_ENOTFOUND, "this machine has not been measured yet");
        roof_hint(error, "run 'roofline measure' (about 30 s), or add --on h100-sxm");
        return -1;
    }
    roof_fail(error, ROOF_ENOTFOUND, "'%.40s' has not been measured yet", name);
    roof_hint(error, "'roofline measure --device list' names the devices, '--device D' measures one");
    return -1;
}

roof_machine_file *saved_read(const char *name, bool *one, roof_error *error) {
    char path[SAVED_PATH];
    struct stat info;
    *one = strcmp(name, "this:1") == 0;
    if (saved_path(name[4] == '-' ? name + 5 : NULL, path, error))
        return NULL;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) { /* not opened: a pipe would be waited for */
        roof_fail(error, ROOF_EIO, "cannot read '%.200s': not a regular file", path);
        roof_hint(error, "remove it, and run 'roofline measure'");
        return NULL;
    }
    if (stat(path, &info) == 0)
        return machine_file_read(path, error);
    fail_unmeasured(name, error);
    return NULL;
}

/* "HOST-opencl-0.json" -> "this-opencl-0"; a host whose name begins like ours is not ours. */
static bool name_device(const char *file, const char *host, char name[SAVED_NAME]) {
    static const char *const kinds[] = {"-opencl-", "-cuda-"};
    size_t prefix = strlen(host), length = strlen(file);
    if (strncmp(file, host, prefix) != 0 || length < prefix + 5 || strcmp(file + length - 5, ".json") != 0)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(file + prefix, kinds[i], strlen(kinds[i])) == 0) {
            snprintf(name, SAVED_NAME, "this%.*s", (int)(length - prefix - 5), file + prefix);
            return true;
        }
    return false;
}

static int by_name(const void *a, const void *b) {
    return strcmp(a, b);
}

size_t saved_names(char names[][SAVED_NAME], size_t most) {
    char path[SAVED_PATH], host[SAVED_NAME];
    struct stat info;
    size_t count = 0;
    if (most == 0 || saved_path(NULL, path, NULL))
        return 0;
    if (stat(path, &info) == 0)
        snprintf(names[count++], SAVED_NAME, "this");
    saved_folder(path, NULL);
    roof_measure_host(host, sizeof host - DEVICE_NAME);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && count < most && (entry = readdir(folder));)
        count += name_device(entry->d_name, host, names[count]);
    if (folder)
        closedir(folder);
    qsort(names, count, SAVED_NAME, by_name);
    return count;
}

/* Never save what cannot be read. Takes the text over. */
static int write_checked(const char *path, text_out *out, const char *hint, roof_error *error) {
    roof_machine_file *check = roof_read_machine(out->bytes, out->length, error);
    int result = !check || folders_make(path, error) || file_write(path, out, true, error) ? -1 : 0;
    if (result && error->code == ROOF_EIO)
        roof_hint(error, "%s", hint);
    roof_machine_file_free(check);
    text_free(out);
    return result;
}

int saved_write(const char *path, const roof_measurement *measurement, roof_error *error) {
    text_out out = {0};
    roof_measurement_write(measurement, text_write, &out);
    return write_checked(path, &out, "the answer was not saved; --save FILE names another place, --no-save none",
                         error);
}

int saved_write_machine(const char *path, const roof_machine *machine, roof_error *error) {
    text_out out = {0};
    roof_machine_write(machine, text_write, &out);
    return write_checked(path, &out, "the calibration was not saved; -o FILE.json names another place", error);
}

/* ---- calibrations ---- */

int saved_calibration_path(const char *id, char buffer[SAVED_PATH], roof_error *error) {
    if (saved_folder(buffer, error))
        return -1;
    size_t used = strlen(buffer);
    int length = snprintf(buffer + used, SAVED_PATH - used, "calibrated/%s.json", id);
    return length < 0 || (size_t)length >= SAVED_PATH - used
               ? roof_fail(error, ROOF_EIO, "no place for calibrations: the name of the home folder is too long")
               : 0;
}

/* Shares are of roofs: with other roofs they are shares of something else. */
static bool same_roofs(const roof_machine *a, const roof_machine *b) {
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
        if (a->bandwidth[level].value != b->bandwidth[level].value)
            return false;
    for (int unit = 0; unit < ROOF_UNIT_COUNT; unit++)
        for (int dtype = 0; dtype < ROOF_DTYPE_COUNT; dtype++)
            if (a->peak[unit][dtype].value != b->peak[unit][dtype].value)
                return false;
    return a->link.value == b->link.value;
}

roof_machine_file *saved_calibrations(roof_machine *machine, char *note, size_t size) {
    char path[SAVED_PATH];
    roof_error error = {0};
    struct stat info;
    size_t used = strlen(note);
    const char *joint = used ? "; " : "";
    if (saved_calibration_path(machine->id, path, NULL) || stat(path, &info) != 0)
        return NULL;
    roof_machine_file *file = S_ISREG(info.st_mode) ? machine_file_read(path, &error) : NULL;
    if (!file) {
        snprintf(note + used, size - used, "%ssaved calibration cannot be read; run 'roofline calibrate' again", joint);
        return NULL;
    }
    const roof_machine *saved = roof_machine_file_machine(file);
    if (!same_roofs(saved, machine)) {
        snprintf(note + used, size - used,
                 "%ssaved calibration ignored: it was made with different roofs; run 'roofline calibrate' again",
                 joint);
        roof_machine_file_free(file);
        return NULL;
    }
    machine->calibration = saved->calibration;
    machine->calibration_count = saved->calibration_count;
    return file;
}

void saved_calibration_note(const roof_machine *machine, char *note, size_t size) {
    for (size_t i = 0; i < machine->calibration_count; i++) {
        const roof_calibration *of = &machine->calibration[i];
        size_t used = strlen(note);
        snprintf(note + used, size - used, "%s%s%s (%.0f times%s%.10s)",
                 i == 0 && used ? "; "
                 : i            ? ", "
                                : "",
                 i == 0 ? "calibrated for " : "", calibrated_name(of->engine), of->runs, of->date ? ", " : "",
                 of->date ? of->date : "");
    }
}

/* CPUs that this process may run on; 0: not known. */
static int cpus_allowed(void) {
    static const size_t most = 1 << 14;
    size_t size = CPU_ALLOC_SIZE(most);
    cpu_set_t *set = keep_or_die(CPU_ALLOC(most));
    int count = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    return count;
}

void saved_note(const roof_measurement *measurement, bool device, char *buffer, size_t size) {
    int allowed = device ? 0 : cpus_allowed();
    char cpu[sizeof measurement->cpu];
    buffer[0] = '\0';
    if (!device && measurement->cpu[0] && strcmp(roof_measure_cpu(cpu, sizeof cpu), measurement->cpu) != 0)
        snprintf(buffer, size, "measured on %.64s, and this is %.64s: run 'roofline measure'", measurement->cpu, cpu);
    else if (allowed > 0 && allowed < measurement->threads)
        snprintf(buffer, size,
                 "measured with %d cores, and only %d CPU%s may be used now: 'roofline measure' again, or "
                 "--on this:1",
                 measurement->threads, allowed, allowed == 1 ? "" : "s");
    else if (measurement->version[0] && strcmp(measurement->version, roof_version()) != 0)
        snprintf(buffer, size, "measured by version %s: 'roofline measure --diff' tells whether %s finds the same",
                 measurement->version, roof_version());
}

bool saved_is_worse(const saved_change *change) {
    return change->before > 0 && change->after < WORSE * change->before;
}
