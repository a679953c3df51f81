/* Which machines of the catalogue, and of those measured here, a listing is about. */
#include <stdlib.h>

#include "cli/machine/machines.h"
#include "core/names.h"

static bool matches(const cli_settings *settings, const char *aliases, const roof_machine *machine) {
    const char *text = settings->word_count > 0 ? settings->words[0] : NULL;
    if (settings->machines.vendor && !text_contains(machine->vendor, settings->machines.vendor))
        return false;
    return text_contains(machine->id, text) || text_contains(machine->name, text) ||
           text_contains(machine->architecture, text) || text_contains(aliases, text);
}

/* Where names are read from: a machine of the catalogue is copied out before it can be asked. */
typedef struct catalogue_reader {
    roof_machine *scratch;
} catalogue_reader;

static const roof_machine *machine_at(const catalogue_reader *reader, size_t index) {
    return roof_machine_at(index, reader->scratch) == 0 ? reader->scratch : NULL;
}

static const char *id_at(const void *context, size_t index) {
    const roof_machine *machine = machine_at(context, index);
    return machine ? machine->id : NULL;
}

static const char *vendor_at(const void *context, size_t index) {
    const roof_machine *machine = machine_at(context, index);
    return machine ? machine->vendor : NULL;
}

static int fail_none(const cli_settings *settings, roof_error *error) {
    roof_machine scratch;
    const char *text = settings->word_count > 0 ? settings->words[0] : settings->machines.vendor;
    bool by_name = settings->word_count > 0;
    catalogue_reader reader = {&scratch};
    name_list names = {roof_machine_count(), by_name ? id_at : vendor_at, &reader};
    roof_fail(error, ROOF_ENOTFOUND, "no machine has '%.60s' in its %s", text, by_name ? "name" : "vendor");
    if (offer_names(&names, text, by_name ? 2 : 1, error) == 0 || by_name)
        roof_suggest(error, ROOF_REMEDY_LIST_MACHINES, "");
    return -1;
}

/* What was measured here; a file that cannot be read is told of when it is named. */
static void choose_measured(const cli_settings *settings, machine_list *out) {
    roof_error ignored;
    size_t count = saved_names(out->names, TEXTS_MAX);
    for (size_t i = 0; i < count; i++) {
        text_list name = {.items = {out->names[i]}, .count = 1};
        if (machines_load(&name, "--on", &out->here, &ignored))
            continue;
        out->machines[out->count] = out->here.list[out->here.count - 1];
        out->count += matches(settings, out->names[i], &out->machines[out->count]);
    }
    out->measured = out->count;
}

int machine_list_choose(const cli_settings *settings, machine_list *out, roof_error *error) {
    size_t all = roof_machine_count();
    out->machines = keep_or_die(calloc(all + TEXTS_MAX, sizeof *out->machines));
    choose_measured(settings, out);
    for (size_t i = 0; i < all; i++) {
        roof_machine *machine = &out->machines[out->count];
        if (roof_machine_at(i, machine) == 0 && matches(settings, roof_machine_aliases(i), machine))
            out->count++;
    }
    return out->count > 0 ? 0 : fail_none(settings, error);
}

void machine_list_free(machine_list *list) {
    free(list->machines);
    machines_free(&list->here);
}
