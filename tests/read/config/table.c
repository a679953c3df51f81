/* A tool, not a test: reads every config of a folder and compares with the figures of its INDEX.csv.
 * Usage: read_table FOLDER INDEX.csv
 * Prints markdown rows: file | verdict | parameters | published, how sure, summed from shapes | bytes | warnings or why
 * not */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roofline.h"
#include "roofline_read.h"

enum { COLUMNS = 14, LINE = 4096 };

/* Split one CSV line in place; quotes may enclose commas. */
static int split(char *line, char *cells[COLUMNS]) {
    int n = 0;
    char *out = line;
    cells[n++] = out;
    bool quoted = false;
    for (char *c = line; *c && *c != '\n' && *c != '\r'; c++) {
        if (*c == '"') {
            quoted = !quoted;
        } else if (*c == ',' && !quoted) {
            *out++ = '\0';
            if (n == COLUMNS)
                break;
            cells[n++] = out;
        } else {
            *out++ = *c;
        }
    }
    *out = '\0';
    while (n < COLUMNS)
        cells[n++] = out;
    return n;
}

static char *load(const char *folder, const char *name, size_t *length) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*length + 1);
    if (text)
        *length = fread(text, 1, *length, file);
    fclose(file);
    return text;
}

static bool near(double got, const char *want) {
    double value = strtod(want, NULL);
    return value > 0 && fabs(got / value - 1) <= 0.01;
}

static const char *judge(double total, char **cells) {
    bool recalled = strncmp(cells[6], "recalled", 8) == 0;
    if (near(total, cells[4]) || near(total, cells[7]))
        return "right";
    return !*cells[4] && !*cells[7] ? "no figure" : recalled && !*cells[7] ? "differs from a recalled figure" : "WRONG";
}

/* "671e9 (README), 6.7103e+11 summed". */
static const char *published(char **cells) {
    static char text[160];
    bool recalled = strncmp(cells[6], "recalled", 8) == 0;
    snprintf(text, sizeof text, "%s%s%.40s%s%s%s%s", cells[4], *cells[4] ? " (" : "",
             !*cells[4] ? ""
             : recalled ? "recalled"
                        : cells[6],
             *cells[4] ? ")" : "", *cells[4] && *cells[7] ? ", " : "", cells[7], *cells[7] ? " summed" : "");
    return text;
}

static void row(const char *folder, char **cells, size_t counts[4]) {
    char beside[512];
    size_t length = 0, quant_length = 0;
    snprintf(beside, sizeof beside, "%.*s.hf_quant_config.json", (int)(strlen(cells[0]) - 5), cells[0]);
    char *text = load(folder, cells[0], &length), *quant = load(folder, beside, &quant_length);
    roof_error error = {0};
    roof_model_file *file = text ? roof_read_config(text, length, quant, quant_length, &error) : NULL;
    if (!file) {
        printf("| %s | refused | | %s | | %s |\n", cells[0], published(cells), error.what);
        counts[1]++;
    } else {
        const roof_model *model = roof_model_file_model(file);
        roof_plan plan = {0};
        roof_plan_complete(model, &plan);
        roof_parameters p = roof_model_parameters(model, &plan);
        const char *verdict = judge(p.total, cells);
        counts[strcmp(verdict, "right") == 0 ? 0 : strcmp(verdict, "WRONG") == 0 ? 2 : 3]++;
        printf("| %s | %s | %.0f", cells[0], verdict, p.total);
        if (p.active < p.total)
            printf(" (active %.0f)", p.active);
        printf(" | %s | %.4g GB%s | ", published(cells), p.bytes / 1e9, p.bytes_unknown ? " known" : "");
        for (size_t i = 0; i < roof_model_file_warnings(file); i++)
            printf("%s%s", i ? "; " : "", roof_model_file_warning(file, i));
        printf(" |\n");
    }
    roof_model_file_free(file);
    free(text);
    free(quant);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: read_table FOLDER INDEX.csv\n");
        return 2;
    }
    FILE *index = fopen(argv[2], "r");
    if (!index)
        return 1;
    char line[LINE], *cells[COLUMNS];
    size_t counts[4] = {0};
    for (int n = 0; fgets(line, sizeof line, index); n++) {
        split(line, cells);
        if (n > 0)
            row(argv[1], cells, counts);
    }
    fclose(index);
    printf("\nright %zu, refused %zu, wrong %zu, no figure %zu\n", counts[0], counts[1], counts[2], counts[3]);
    return counts[2] > 0;
}
