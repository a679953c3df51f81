/* The program: read the command line, let the verb answer, say what went wrong. */
#include "cli/cli.h"

#include <stdio.h>

#include "cli/errors.h"
#include "cli/help.h"
#include "cli/out/answer.h"

static int misuse(const roof_error *error) {
    complain(error);
    return EXIT_MISUSE;
}

static int print_and_free(text_out *out) {
    roof_error error;
    int result = print_out(out, &error);
    text_free(out);
    return result ? complain(&error) : EXIT_ANSWERED;
}

static int print_help(const cli_settings *settings) {
    text_out out = terminal_text(settings->colour);
    (settings->long_help ? help_long : help_short)(settings->verb, &out);
    return print_and_free(&out);
}

static int print_made(const cli_settings *settings) {
    roof_error error;
    text_out out = {0};
    if (make_from_tables(settings->make, &out, &error))
        return misuse(&error);
    return print_and_free(&out);
}

/* `roofline` alone: the commands most people need, and the first of them answered. */
static int introduce(int colour) {
    text_out out = terminal_text(colour);
    text_paint(&out, PAINT_BOLD, "roofline");
    text_add(&out, ": what limits an operation or a model on a machine, and what would help\n\n"
                   "  roofline op gemm m=8 n=14336 k=4096 --on h100-sxm   one operation, any shape\n"
                   "  roofline model llama-3.1-8b --on h100-sxm           a language model\n"
                   "  roofline machines                                   what --on can name\n\n"
                   "'roofline --help' shows the rest. The first of them answers:\n\n");
    if (print_and_free(&out))
        return EXIT_INPUT;
    char line[][16] = {"roofline", "op", "gemm", "m=8", "n=14336", "k=4096", "--on", "h100-sxm", "--color", "never"};
    static const char *const choices[] = {[COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never"};
    char *arguments[10];
    snprintf(line[9], sizeof line[9], "%s", choices[colour]);
    for (int i = 0; i < 10; i++)
        arguments[i] = line[i];
    return cli_main(10, arguments);
}

static int answer_line(cli_settings *settings) {
    if (settings->version) {
        text_out out = {0};
        text_add(&out, "roofline %s\n", roof_version());
        return print_and_free(&out);
    }
    if (settings->long_help || settings->short_help)
        return print_help(settings);
    if (settings->make)
        return print_made(settings);
    return settings->verb ? settings->verb->run(settings) : introduce(settings->colour);
}

int cli_main(int count, char **arguments) {
    roof_error error = {0};
    cli_settings settings = {.line = arguments, .line_count = count};
    int code = options_parse(count, arguments, &settings, &error) ? misuse(&error) : answer_line(&settings);
    settings_free(&settings);
    return code;
}
