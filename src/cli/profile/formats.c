/* roofline profile --formats: what can be read, and the command that makes each. */
#include <string.h>

#include "cli/errors.h"
#include "cli/profile/profile.h"

static void text(const void *context, text_out *out) {
    const roof_profile_format *format;
    size_t count = 0;
    (void)context;
    while (roof_profile_format_at(count))
        count++;
    text_title(out, "Files of measurements", PAINT_NONE, "%zu formats", count);
    for (size_t i = 0; (format = roof_profile_format_at(i)); i++) {
        text_add(out, "\n  ");
        text_paint(out, PAINT_BOLD, "%s", format->id);
        text_add(out, "  ");
        text_wrap(out, 4 + (int)strlen(format->id), 4, format->name);
        text_paragraph(out, 4, 6, format->command);
        text_add(out, "    gives ");
        text_wrap(out, 10, 6, format->gives);
    }
    text_add(out, "\nThe content decides which it is, and gzip is unpacked; --format ID says it instead.\n");
}

static void csv(const void *context, text_out *out) {
    const roof_profile_format *format;
    (void)context;
    text_add(out, "id,name,command,gives\n");
    for (size_t i = 0; (format = roof_profile_format_at(i)); i++) {
        csv_text(out, format->id);
        csv_text(out, format->name);
        csv_text(out, format->command);
        csv_text(out, format->gives);
        csv_end(out);
    }
}

static void json(const void *context, emit *to) {
    const roof_profile_format *format;
    (void)context;
    emit_array(to, "formats");
    for (size_t i = 0; (format = roof_profile_format_at(i)); i++) {
        emit_object(to, NULL);
        emit_string(to, "id", format->id);
        emit_string(to, "name", format->name);
        emit_string(to, "command", format->command);
        emit_string(to, "gives", format->gives);
        emit_end(to);
    }
    emit_end(to);
}

int profile_formats(const cli_settings *settings) {
    roof_error error = {0};
    cli_answer answer = {.context = settings, .text = text, .csv = csv, .json = json};
    return answer_print(settings, &answer, &error) ? complain(&error) : EXIT_ANSWERED;
}
