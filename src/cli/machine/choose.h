/* The machines a command line names: catalogue or file, with its figures overridden where the command line gives some.
 */
#ifndef ROOFLINE_CLI_MACHINE_CHOOSE_H
#define ROOFLINE_CLI_MACHINE_CHOOSE_H

#include "cli/options.h"
#include "cli/out/text.h"
#include "roofline_read.h"
#include "json/write.h"

typedef struct machine_set {
    roof_machine list[TEXTS_MAX];
    roof_machine_file *files[TEXTS_MAX];      /* NULL for machines of the catalogue */
    roof_machine_file *calibrated[TEXTS_MAX]; /* where those of the catalogue have their calibrations from; NULL */
    char notes[TEXTS_MAX][300];               /* "h100 means h100-sxm; also h100-pcie, h100-nvl", or "" */
    size_t count;
} machine_set;

/* Read the machines of `names` ("--on" or "--instead" is `option`). */
int machines_load(const text_list *names, const char *option, machine_set *out, roof_error *error);
/* Without --on: the machine at hand where it was measured; else say how to name a machine. */
int machines_named(const cli_settings *settings, roof_error *error);
/* Those of --on, and those of --instead into `others`. */
int machines_asked(const cli_settings *settings, machine_set *on, machine_set *others, roof_error *error);
/* Put in --bandwidth, --peak and the rest; a --peak without dtype is that of `dtype`. */
int machines_override(machine_set *set, const cli_settings *settings, roof_dtype dtype, roof_error *error);
/* What advice tries instead of `on`, one of the set: the rest of the set and the others, else the next larger machine.
 */
enum { MACHINES_BESIDE = 2 * TEXTS_MAX };
size_t machines_beside(const machine_set *set, const machine_set *others, const roof_machine *on,
                       roof_machine out[MACHINES_BESIDE]);
/* -1: a chart has the roofs of one machine only. */
int machines_refuse_many(const machine_set *set, roof_error *error);
/* The notes of aliases, and of machine files, a line each under the title. */
void machines_notes(const machine_set *set, text_out *out);
void machine_json(const roof_machine *machine, const char *key, emit *json); /* {id, name} */
void machines_json(const machine_set *set, emit *json);                      /* `machine`, or several as `machines` */
void machines_free(machine_set *set);

const char *machine_memory(const roof_machine *machine); /* "HBM3" -> "HBM", else "DRAM" */

#endif
