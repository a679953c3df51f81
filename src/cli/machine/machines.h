/* roofline machines: which machines were asked for, and how they are shown. */
#ifndef ROOFLINE_CLI_MACHINE_MACHINES_H
#define ROOFLINE_CLI_MACHINE_MACHINES_H

#include "cli/machine/choose.h"
#include "cli/machine/saved.h"
#include "roofline_chart.h"

typedef struct machine_list {
    roof_machine *machines;
    size_t count, measured; /* the first of them were measured here */
    machine_set here;
    char names[TEXTS_MAX][SAVED_NAME];
} machine_list;

typedef struct shown_machine {
    const roof_machine *machine;
    const roof_measurement *measurement; /* the whole of what was measured, or NULL */
    bool one;                            /* of one core only */
    const char *aliases;
} shown_machine;

/* Those that --vendor and the text keep: measured here first, then the catalogue. Freed also after -1. */
int machine_list_choose(const cli_settings *settings, machine_list *out, roof_error *error);
void machine_list_free(machine_list *list);

void machine_list_text(const void *list, text_out *out);
void machine_list_csv(const void *list, text_out *out);
void machine_list_json(const void *list, emit *json);

void machine_figures_text(const void *shown, text_out *out);
void machine_figures_csv(const void *shown, text_out *out);
int machine_file_json(const void *shown, roof_write write, void *to); /* a machine file, which --on takes */
int machine_chart(const void *shown, roof_drawing *out, roof_error *error);

#endif
