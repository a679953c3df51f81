/* roofline machines: the catalogue as a table; one machine with every figure and its source. */
#include <string.h>

#include "cli/cli.h"
#include "cli/errors.h"
#include "cli/machine/machines.h"
#include "cli/out/answer.h"

static const char *aliases_of(const char *id) {
    roof_machine machine;
    for (size_t i = 0; roof_machine_at(i, &machine) == 0; i++)
        if (strcmp(machine.id, id) == 0)
            return roof_machine_aliases(i);
    return "";
}

static int show(const cli_settings *settings) {
    roof_error error = {0};
    machine_set set = {0};
    text_list names = {.items = {settings->show}, .count = 1};
    int code;
    if (machines_load(&names, "--show", &set, &error)) {
        code = complain(&error);
    } else {
        bool file = set.files[0];
        shown_machine shown = {.machine = set.list, .aliases = file ? "" : aliases_of(set.list[0].id)};
        shown.measurement = file ? roof_machine_file_measurement(set.files[0]) : NULL;
        shown.one = strcmp(settings->show, "this:1") == 0;
        cli_answer answer = {.context = &shown,
                             .text = machine_figures_text,
                             .csv = machine_figures_csv,
                             .json_file = machine_file_json,
                             .chart = machine_chart,
                             .csv_is_machine = true};
        code = answer_print(settings, &answer, &error) ? complain(&error) : EXIT_ANSWERED;
    }
    machines_free(&set);
    return code;
}

int verb_machines(cli_settings *settings) {
    roof_error error = {0};
    machine_list list = {0};
    cli_answer answer = {
        .context = &list, .text = machine_list_text, .csv = machine_list_csv, .json = machine_list_json};
    int code = EXIT_ANSWERED;
    if (answer_check(settings, settings->show, &error) || fail_extra(settings, settings->show ? 0 : 1, &error))
        return complain(&error);
    if (settings->show)
        return show(settings);
    if (machine_list_choose(settings, &list, &error) || answer_print(settings, &answer, &error))
        code = complain(&error);
    machine_list_free(&list);
    return code;
}
