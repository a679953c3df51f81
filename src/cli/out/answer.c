/* Formats: which one, to stdout or to a file. */
#include "cli/out/answer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/errors.h"
#include "cli/out/files.h"
#include "cli/out/page.h"
#include "roofline_chart.h"

enum { CHART_WIDTH = 960, CHART_ROWS = 22 };

typedef enum answer_format {
    FORMAT_TEXT,
    FORMAT_JSON,
    FORMAT_CSV,
    FORMAT_SVG,
    FORMAT_PNG,
    FORMAT_PDF,
    FORMAT_HTML,
    FORMAT_NONE
} answer_format;

static answer_format format_of(const char *path) {
    static const char *const endings[] = {".txt", ".json", ".csv", ".svg", ".png", ".pdf", ".html"};
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < FORMAT_NONE; i++)
        if (strcmp(dot, endings[i]) == 0)
            return (answer_format)i;
    return FORMAT_NONE;
}

static bool is_stdout(const char *path) {
    return strcmp(path, "-") == 0;
}

static int fail_without_chart(const cli_settings *settings, roof_error *error) {
    bool list = settings->verb->bit == FOR_MACHINES;
    roof_fail(error, ROOF_EARGUMENT, "'roofline %s' draws no chart%s", settings->verb->name,
              list ? " of a list" : " here");
    roof_hint(error, "%s", list ? "--show NAME --chart draws one machine" : "leave --chart out");
    return -1;
}

int answer_check(const cli_settings *settings, bool draws, roof_error *error) {
    if (settings->json && settings->csv)
        return roof_fail(error, ROOF_EARGUMENT, "--json and --csv exclude each other");
    if (settings->chart && (settings->json || settings->csv))
        return roof_fail(error, ROOF_EARGUMENT, "--chart draws in text and cannot be combined with --%s",
                         settings->json ? "json" : "csv");
    if (settings->chart && !draws)
        return fail_without_chart(settings, error);
    bool page = false, picture = false;
    for (size_t i = 0; i < settings->output.count; i++) {
        const char *path = settings->output.items[i];
        answer_format format = is_stdout(path) ? FORMAT_TEXT : format_of(path);
        if (format == FORMAT_NONE) {
            roof_fail(error, ROOF_EARGUMENT, "cannot tell the format of '%.120s' from its ending", path);
            roof_hint(error, "%s",
                      draws ? "it may end in .html, .svg, .png, .pdf, .txt, .json or .csv"
                            : "it may end in .txt, .json or .csv");
            return -1;
        }
        if (format >= FORMAT_SVG && !draws) {
            roof_fail(error, ROOF_EARGUMENT, "'roofline %s' draws no chart, so '%.120s' cannot be written",
                      settings->verb->name, path);
            roof_hint(error, "it may end in .txt, .json or .csv");
            return -1;
        }
        page |= format == FORMAT_HTML;
        picture |= format >= FORMAT_SVG && format < FORMAT_HTML;
    }
    if (settings->width > 0 && page && !picture) {
        roof_fail(error, ROOF_EARGUMENT, "--width applies to .svg, .png and .pdf; an HTML page adapts to its window");
        roof_hint(error, "leave --width out, or write .svg, .png or .pdf");
        return -1;
    }
    return 0;
}

/* ---- the environment ---- */

static bool speaks_utf8(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "utf-8") || strstr(value, "UTF8");
    }
    return false;
}

static bool wants_colour(int colour) {
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (colour != COLOUR_AUTO)
        return colour == COLOUR_ALWAYS;
    return isatty(STDOUT_FILENO) && !(no && *no) && !(terminal && strcmp(terminal, "dumb") == 0);
}

text_out terminal_text(int colour) {
    return (text_out){.colour = wants_colour(colour), .utf8 = speaks_utf8()};
}

int print_out(const text_out *out, roof_error *error) {
    char why[96];
    bool written = out->length == 0 || fwrite(out->bytes, 1, out->length, stdout) == out->length;
    if (written && fflush(stdout) == 0)
        return 0;
    return roof_fail(error, ROOF_EIO, "cannot write to stdout: %s", system_reason(errno, why, sizeof why));
}

/* ---- rendering ---- */

static int draw(const cli_settings *settings, const cli_answer *answer, answer_format format, text_out *out,
                roof_error *error) {
    if (!answer->chart) /* an answer of a verb whose others have one: a list of devices, weights without a model */
        return fail_without_chart(settings, error);
    roof_drawing *drawing = keep_or_die(calloc(1, sizeof *drawing));
    double width = settings->width > 0 ? settings->width : CHART_WIDTH;
    text_out svg = {0};
    int result = answer->chart(answer->context, drawing, error);
    if (result == 0 && format == FORMAT_TEXT) {
        result =
            roof_chart_text(&drawing->chart, TEXT_COLUMNS, CHART_ROWS, !out->utf8, out->colour, text_write, out, error);
    } else if (format == FORMAT_HTML) { /* the answer is worth a page without a chart, too */
        result = page_write(settings, answer, result == 0 ? drawing : NULL, error->what, out, error);
    } else if (result == 0 && format == FORMAT_SVG) {
        result = roof_chart_svg(&drawing->chart, width, text_write, out, error);
    } else if (result == 0) {
        result = roof_chart_svg(&drawing->chart, width, text_write, &svg, error);
        if (result == 0)
            result = roof_chart_raster(svg.bytes, svg.length, format == FORMAT_PNG ? "png" : "pdf", 2, text_write, out,
                                       error);
    }
    text_free(&svg);
    free(drawing);
    return result;
}

static void write_json(const cli_answer *answer, text_out *out) {
    if (answer->json_file) {
        answer->json_file(answer->context, text_write, out);
        return;
    }
    emit json = emit_to(text_write, out);
    emit_object(&json, NULL);
    emit_string(&json, "schema", "roofline/1");
    answer->json(answer->context, &json);
    emit_end(&json);
    emit_finish(&json);
}

static int render(const cli_settings *settings, const cli_answer *answer, answer_format format, text_out *out,
                  roof_error *error) {
    if (format >= FORMAT_SVG)
        return draw(settings, answer, format, out, error);
    if (format == FORMAT_JSON) {
        write_json(answer, out);
    } else if (format == FORMAT_CSV) {
        answer->csv(answer->context, out);
    } else {
        if (settings->chart) {
            if (draw(settings, answer, FORMAT_TEXT, out, error))
                return -1;
            text_add(out, "\n");
        }
        answer->text(answer->context, out);
    }
    return 0;
}

static int print_stdout(const cli_settings *settings, const cli_answer *answer, roof_error *error) {
    text_out out = terminal_text(settings->colour);
    answer_format format = settings->json ? FORMAT_JSON : settings->csv ? FORMAT_CSV : FORMAT_TEXT;
    int result = render(settings, answer, format, &out, error);
    if (result == 0)
        result = print_out(&out, error);
    text_free(&out);
    return result;
}

static int print_file(const cli_settings *settings, const cli_answer *answer, const char *path, roof_error *error) {
    text_out out = {.utf8 = speaks_utf8()};
    int result = render(settings, answer, format_of(path), &out, error);
    if (result == 0)
        result = file_write(path, &out, false, error);
    text_free(&out);
    return result;
}

int answer_print(const cli_settings *settings, const cli_answer *answer, roof_error *error) {
    bool taken = false, wanted = settings->output.count == 0;
    for (size_t i = 0; i < settings->output.count; i++) {
        const char *path = settings->output.items[i];
        wanted |= is_stdout(path);
        if (is_stdout(path))
            continue;
        taken |= format_of(path) < FORMAT_SVG;
        if (print_file(settings, answer, path, error))
            return -1;
    }
    return wanted || !taken ? print_stdout(settings, answer, error) : 0;
}

int answer_and_require(const cli_settings *settings, const cli_answer *answer, const fact_list *facts) {
    roof_error error = {0}, failed = {0};
    int outcome = require_check(&settings->require, facts, &failed);
    if (outcome < 0)
        return complain(&failed);
    if (answer_print(settings, answer, &error))
        return complain(&error);
    if (outcome == 0)
        return EXIT_ANSWERED;
    complain(&failed);
    return EXIT_REQUIREMENT;
}
