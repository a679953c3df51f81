/* The man page, written from the tables; what else is. */
#include <stdio.h>
#include <string.h>

#include "cli/completions.h"
#include "cli/help.h"

/* ---- man ---- */

/* Text in roff: hyphens that can be pasted, no line that looks like a request. */
static void roff(text_out *out, const char *from) {
    if (*from == '.' || *from == '\'')
        text_add(out, "\\&");
    for (; *from; from++) {
        if (*from == '-')
            text_add(out, "\\-");
        else if (*from == '\\')
            text_add(out, "\\e");
        else
            text_bytes(out, from, 1);
    }
}

/* "  (op, model)" after an option that not every verb takes. */
static void man_verbs(const cli_option *option, text_out *out) {
    bool any = false;
    if ((option->verbs & FOR_EVERY) == FOR_EVERY)
        return;
    text_add(out, "  \\fR(");
    for (size_t i = 0; verb_at(i); i++) {
        if (!(option->verbs & verb_at(i)->bit))
            continue;
        text_add(out, "%s%s", any ? ", " : "", verb_at(i)->name);
        any = true;
    }
    text_add(out, ")");
}

static void man_option(const cli_option *option, text_out *out) {
    text_add(out, ".TP\n.B ");
    if (option->letter)
        text_add(out, "\\-%s, ", option->letter);
    roff(out, "--");
    roff(out, option->name);
    if (option->value) {
        text_add(out, " \\fI");
        roff(out, option->value);
        text_add(out, "\\fR");
    }
    man_verbs(option, out);
    text_add(out, "\n");
    roff(out, option->summary);
    text_add(out, ".\n");
    if (option->details) {
        roff(out, option->details);
        text_add(out, "\n");
    }
}

/* Which verbs an option belongs to, under the option's group. */
static void man_options(text_out *out) {
    for (int group = 0; group < GROUP_COUNT; group++) {
        text_add(out, ".SS %s\n", option_group_name((option_group)group));
        for (size_t i = 0; option_at(i); i++)
            if (option_at(i)->group == (option_group)group && option_at(i)->group != GROUP_HIDDEN)
                man_option(option_at(i), out);
    }
}

static void man_verb(const cli_verb *verb, text_out *out) {
    text_add(out, ".TP\n.B roofline %s", verb->name);
    if (*verb->arguments)
        text_add(out, " \\fI%s\\fR", verb->arguments);
    text_add(out, "\n");
    roff(out, verb->summary);
    text_add(out, ".\n");
    roff(out, verb->details);
    text_add(out, "\n");
}

static void make_man(text_out *out) {
    text_add(out,
             ".TH ROOFLINE 1 \"\" \"roofline %s\"\n.SH NAME\nroofline \\- what limits an operation or a model on a "
             "machine, and "
             "what would help\n.SH SYNOPSIS\n.B roofline\n.I VERB\n[\\fIARGUMENT\\fR...] [\\fIOPTION\\fR...]\n.SH "
             "DESCRIPTION\n",
             roof_version());
    roff(out, "For an operation or a language model, and a machine from a cited catalogue, roofline says what limits "
              "it (compute, memory or "
              "a link), by how much, and which change would help, would help little, or would be a waste. Times are "
              "lower bounds: no "
              "implementation on that machine can be faster.");
    text_add(out, "\n.SH VERBS\n");
    for (size_t i = 0; verb_at(i); i++)
        man_verb(verb_at(i), out);
    text_add(out, ".SH OPTIONS\n");
    man_options(out);
    text_add(
        out,
        ".SH EXIT STATUS\n.TP\n.B 0\nAnswered.\n.TP\n.B 1\nThe input could not be read or judged.\n.TP\n.B 2\nMisuse.\n"
        ".TP\n.B 3\nA \\-\\-require failed.\n.SH ENVIRONMENT\n.TP\n.B NO_COLOR\nNo colour when set and not empty.\n"
        ".TP\n.B XDG_DATA_HOME, HOME\nMeasurements of this machine lie under $XDG_DATA_HOME/roofline/machines, else "
        "under "
        "~/.local/share/roofline/machines.\n"
        ".TP\n.B LC_ALL, LC_CTYPE, LANG\nBars and drawings use Unicode when the first of them that is set names "
        "UTF\\-8.\n"
        ".SH EXAMPLES\n.nf\n");
    for (size_t i = 0; verb_at(i); i++)
        for (size_t k = 0; k < 4 && verb_at(i)->examples[k]; k++) {
            roff(out, verb_at(i)->examples[k]);
            text_add(out, "\n");
        }
    text_add(out, ".fi\n");
}

int make_from_tables(const char *what, text_out *out, roof_error *error) {
    static const struct {
        const char *name;
        void (*make)(text_out *out);
    } makers[] = {{"man", make_man}, {"bash", make_bash}, {"zsh", make_zsh}, {"fish", make_fish}};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (strcmp(what, makers[i].name) == 0) {
            makers[i].make(out);
            return 0;
        }
    return roof_fail(error, ROOF_EARGUMENT, "--generate '%.60s' is not one of man, bash, zsh, fish", what);
}
