/* CSV, cell by cell. A writer says cells and ends of rows; where a comma belongs and what has to be quoted is known
 * here:
 *
 *     csv_text(out, "a,b");  csv_number(out, 1.5);  csv_end(out);      "a,b",1.5 */
#include "cli/out/csv.h"

#include <stdlib.h>
#include <string.h>

#include "json/write.h"

static void csv_comma(text_out *out) {
    if (out->length > 0 && out->bytes[out->length - 1] != '\n')
        text_add(out, ",");
}

static void plain(text_out *out, const char *value) {
    csv_comma(out);
    text_add(out, "%s", value);
}

/* Spreadsheets run a cell that begins so; behind an apostrophe it is text to them. */
static bool is_formula(const char *value) {
    return *value && strchr("=+-@", *value) && value[1];
}

static void cell(text_out *out, const char *value) {
    bool quoted = strpbrk(value, ",\"");
    text_add(out, "%s%s", quoted ? "\"" : "", is_formula(value) ? "'" : "");
    if (!quoted) {
        text_add(out, "%s", value);
        return;
    }
    for (; *value; value++)
        text_bytes(out, *value == '"' ? "\"\"" : value, *value == '"' ? 2 : 1);
    text_add(out, "\"");
}

void csv_text(text_out *out, const char *value) {
    char *spelt = value ? text_visible(value, strlen(value), false) : NULL;
    csv_comma(out);
    cell(out, spelt ? spelt : value ? value : "");
    free(spelt);
}

void csv_number(text_out *out, double value) {
    char buffer[EMIT_NUMBER_SIZE];
    const char *number = emit_format(value, buffer);
    plain(out, strcmp(number, "null") == 0 ? "" : number);
}

void csv_bool(text_out *out, bool value) {
    csv_text(out, value ? "true" : "false");
}

void csv_end(text_out *out) {
    text_add(out, "\n");
}
