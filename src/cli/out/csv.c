/* CSV, cell by cell. A writer says cells and ends of rows; where a comma belongs and what has to be quoted is known
 * here:
 *
 *     csv_text(out, "a,b");  csv_number(out, 1.5);  csv_end(out);      "a,b",1.5 */
#include "cli/out/csv.h"

#include <string.h>

#include "json/write.h"

static void csv_comma(text_out *out) {
    if (out->length > 0 && out->bytes[out->length - 1] != '\n')
        text_add(out, ",");
}

void csv_text(text_out *out, const char *value) {
    csv_comma(out);
    if (!value || !strpbrk(value, ",\"\n\r")) {
        text_add(out, "%s", value ? value : "");
        return;
    }
    text_add(out, "\"");
    for (; *value; value++)
        text_add(out, *value == '"' ? "\"\"" : "%c", *value);
    text_add(out, "\"");
}

void csv_number(text_out *out, double value) {
    char buffer[EMIT_NUMBER_SIZE];
    const char *number = emit_format(value, buffer);
    csv_text(out, strcmp(number, "null") == 0 ? "" : number);
}

void csv_bool(text_out *out, bool value) {
    csv_text(out, value ? "true" : "false");
}

void csv_end(text_out *out) {
    text_add(out, "\n");
}
