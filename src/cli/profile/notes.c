/* What the text answers of one profile and of two say first: devices that do not fit, warnings of the files. */
#include <stdio.h>

#include "cli/profile/profile.h"

static void note_device(const profile_question *question, text_out *out) {
    const char *device = profile_device(question);
    roof_machine like;
    char line[320];
    if (!device || question->own_machine || !profile_device_differs(device, question->machine, &like))
        return;
    snprintf(line, sizeof line, "the file says %.80s, which is not %.60s: --on %.40s?", device,
             question->machine->id ? question->machine->id : "the machine asked for", like.id);
    text_note(out, PAINT_YELLOW, line);
}

void profile_note_file(const profile_question *question, const profile_file *file, text_out *out) {
    const roof_profile_info *about = roof_profile_about(file->profile);
    const char *warning;
    char line[440], sum[NUMBER_SIZE], all[NUMBER_SIZE], share[NUMBER_SIZE];
    for (size_t i = 0; (warning = profile_warning(file, i)); i++) {
        snprintf(line, sizeof line, "%.80s%s%s", question->file_count > 1 ? profile_base(file->path) : "",
                 question->file_count > 1 ? ": " : "", warning);
        text_note(out, PAINT_YELLOW, line);
    }
    double seconds = profile_sum(question, file->first, file->count).seconds;
    if (about->total_seconds > 0 && seconds > 0 && seconds < 0.98 * about->total_seconds) {
        snprintf(line, sizeof line,
                 "the kernels take %s of the run's %s (%s); shares are relative to the kernels' time",
                 number_si(seconds, "s", sum), number_si(about->total_seconds, "s", all),
                 number_percent(seconds / about->total_seconds, share));
        text_note(out, PAINT_DIM, line);
    }
}

void profile_notes(const profile_question *question, text_out *out) {
    machines_notes(&question->machines, out);
    if (question->own_machine)
        text_note(out, PAINT_DIM, "the roofs come from the file itself; --on names another machine");
    note_device(question, out);
    for (size_t i = 0; i < question->file_count; i++)
        profile_note_file(question, &question->files[i], out);
}
