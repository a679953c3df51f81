/* -h and --help, written from the tables. */
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

enum { OPTION_INDENT = 2, SUMMARY_INDENT = 26 };

/* "-o, --output FILE" */
static void spell(const cli_option *option, char *buffer, size_t size) {
    snprintf(buffer, size, "%s%s%s--%s%s%s", option->letter ? "-" : "", option->letter ? option->letter : "",
             option->letter ? ", " : "", option->name, option->value ? " " : "", option->value ? option->value : "");
}

static void option_line(const cli_option *option, bool details, text_out *out) {
    char name[64];
    spell(option, name, sizeof name);
    int used = OPTION_INDENT + (int)strlen(name);
    text_add(out, "%*s", OPTION_INDENT, "");
    text_paint(out, PAINT_BOLD, "%s", name);
    if (used + 2 > SUMMARY_INDENT)
        text_add(out, "\n%*s", SUMMARY_INDENT, "");
    else
        text_add(out, "%*s", SUMMARY_INDENT - used, "");
    text_wrap(out, SUMMARY_INDENT, SUMMARY_INDENT, option->summary);
    if (details && option->details) {
        text_add(out, "%*s", SUMMARY_INDENT, "");
        text_wrap(out, SUMMARY_INDENT, SUMMARY_INDENT, option->details);
    }
}

static void option_lines(const cli_verb *verb, bool details, text_out *out) {
    for (int group = 0; group < GROUP_COUNT; group++) {
        bool any = false;
        for (size_t i = 0; option_at(i); i++) {
            const cli_option *option = option_at(i);
            if (option->group != (option_group)group || !(option->verbs & verb->bit))
                continue;
            if (!any)
                text_paint(out, PAINT_BOLD, "\n%s\n", option_group_name((option_group)group));
            else if (details)
                text_add(out, "\n");
            any = true;
            option_line(option, details, out);
        }
    }
}

static void verb_lines(text_out *out) {
    for (size_t i = 0; verb_at(i); i++) {
        const cli_verb *verb = verb_at(i);
        text_add(out, "  ");
        text_paint(out, PAINT_BOLD, "%s", verb->name);
        text_add(out, "%*s%s\n", 10 - (int)strlen(verb->name), "", verb->summary);
    }
}

static void example_lines(const cli_verb *verb, text_out *out) {
    for (size_t i = 0; i < sizeof verb->examples / sizeof *verb->examples && verb->examples[i]; i++)
        text_add(out, "  %s\n", verb->examples[i]);
}

static void usage(const cli_verb *verb, text_out *out) {
    text_paint(out, PAINT_BOLD, "usage:");
    if (verb)
        text_add(out, " roofline %s%s%s [OPTION...]\n", verb->name, *verb->arguments ? " " : "", verb->arguments);
    else
        text_add(out, " roofline VERB ... [OPTION...]\n");
}

static void of_program(bool details, text_out *out) {
    text_add(out, "roofline: what limits an operation or a model on a machine, and what would help\n\n");
    usage(NULL, out);
    text_add(out, "\n");
    verb_lines(out);
    if (details) {
        text_paint(out, PAINT_BOLD, "\nExamples\n");
        for (size_t i = 0; verb_at(i); i++)
            text_add(out, "  %s\n", verb_at(i)->examples[0]);
        text_paint(out, PAINT_BOLD, "\nExit codes\n");
        text_add(out,
                 "  0  answered\n  1  the input could not be read or judged\n  2  misuse\n  3  a --require failed\n");
    }
    text_add(out, "\n'roofline VERB -h' lists the options of a verb, '--help' explains them.\n");
}

void help_short(const cli_verb *verb, text_out *out) {
    if (!verb) {
        of_program(false, out);
        return;
    }
    usage(verb, out);
    option_lines(verb, false, out);
}

void help_long(const cli_verb *verb, text_out *out) {
    if (!verb) {
        of_program(true, out);
        return;
    }
    text_add(out, "roofline %s: ", verb->name);
    text_wrap(out, 11 + (int)strlen(verb->name), 0, verb->summary);
    text_add(out, "\n");
    usage(verb, out);
    text_add(out, "\n");
    text_wrap(out, 0, 0, verb->details);
    text_paint(out, PAINT_BOLD, "\nExamples\n");
    example_lines(verb, out);
    option_lines(verb, true, out);
}
