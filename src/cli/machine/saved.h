/* Saved measurements: where they lie, how they are compared, and what may replace them. */
#ifndef ROOFLINE_CLI_MACHINE_SAVED_H
#define ROOFLINE_CLI_MACHINE_SAVED_H

#include "cli/out/text.h"
#include "roofline_expected.h"
#include "roofline_measure.h"
#include "roofline_read.h"

enum { SAVED_PATH = 1024, SAVED_NAME = 64, SAVED_CHANGES_MAX = 2 * (4 * ROOF_DTYPE_COUNT + ROOF_LEVEL_COUNT + 1) };

/* ---- where: one file a machine and device, so that machines may share a home folder ---- */

/* "$XDG_DATA_HOME/roofline/machines/", else "$HOME/.local/share/roofline/machines/". -1: neither names a folder. */
int saved_folder(char buffer[SAVED_PATH], roof_error *error);
/* The file of this machine, or of a device ("opencl:0"; NULL or "cpu": the machine itself). */
int saved_path(const char *device, char buffer[SAVED_PATH], roof_error *error);
/* Any machine file; errors name it. */
roof_machine_file *machine_file_read(const char *path, roof_error *error);
/* Does --on mean a saved measurement: "this", "this:1", "this-opencl-0"? */
bool saved_is_name(const char *name);
/* Read what such a name means; `one`: its one-core roofs. ROOF_ENOTFOUND: not measured yet. */
roof_machine_file *saved_read(const char *name, bool *one, roof_error *error);
/* The names under which this host's measurements can be read: "this" first, then devices. How many. */
size_t saved_names(char names[][SAVED_NAME], size_t most);
int saved_write(const char *path, const roof_measurement *measurement, roof_error *error);
int saved_write_machine(const char *path, const roof_machine *machine, roof_error *error);

/* ---- calibrations ---- */

/* Where those of a machine of the catalogue lie: a machine file, of which only they are used. */
int saved_calibration_path(const char *id, char buffer[SAVED_PATH], roof_error *error);
/* Put them into the machine of the catalogue; they live in the file, which is the caller's. NULL: there are none.
 * `note` (of `size`): why a file that is there is not used, or what is. */
roof_machine_file *saved_calibrations(roof_machine *machine, char *note, size_t size);
/* "calibrated for llama.cpp (12 times, 2026-11-30)", behind what `note` says already; nothing without a calibration. */
void saved_calibration_note(const roof_machine *machine, char *note, size_t size);
/* A new measurement of the same machine keeps what runs taught; it points into `before`. */
void saved_keep_calibrations(const roof_measurement *before, roof_measurement *after);
/* Said under the title of an answer; "" when there is nothing to say: another CPU or fewer than were measured (not of a
 * device), another version. */
void saved_note(const roof_measurement *measurement, bool device, char *buffer, size_t size);

/* ---- old against new ---- */

typedef struct saved_change {
    char name[32];    /* "f64 vector", "DRAM" */
    const char *unit; /* "FLOP/s", "OP/s", "B/s" */
    int cores;
    double before, after; /* 0: not known */
} saved_change;

/* Every roof that one of the two knows; of one core first where several were measured. */
size_t saved_changes(const roof_measurement *before, const roof_measurement *after,
                     saved_change out[SAVED_CHANGES_MAX]);
bool saved_is_worse(const saved_change *change); /* more than 3% lower, or no longer there */
/* -1: the two are of different CPUs, and only --replace may put one in the place of the other. */
int saved_same_cpu(const roof_measurement *before, const roof_measurement *after, roof_error *error);
/* `out`: `after` with the higher of both for each roof and the series it came from, each with the source it had; of
 * cache sizes what is reported, else the larger. It points into both; its `samples` are the caller's to free. -1: not
 * comparable. */
int saved_merge(const roof_measurement *before, const roof_measurement *after, roof_measurement *out,
                roof_error *error);

#endif
