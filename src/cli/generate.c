/* The man page and the shell completions, written from the tables. */
#include <stdio.h>
#include <string.h>

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

/* ---- completions ---- */

static void verb_names(text_out *out) {
    for (size_t i = 0; verb_at(i); i++)
        text_add(out, "%s%s", i ? " " : "", verb_at(i)->name);
}

static bool belongs(const cli_option *option, const cli_verb *verb) {
    return (option->verbs & verb->bit) && option->group != GROUP_HIDDEN;
}

static void option_names(const cli_verb *verb, text_out *out) {
    bool any = false;
    for (size_t i = 0; option_at(i); i++) {
        if (!belongs(option_at(i), verb))
            continue;
        text_add(out, "%s--%s", any ? " " : "", option_at(i)->name);
        any = true;
    }
}

static void choice_words(const cli_option *option, text_out *out) {
    for (const option_choice *choice = option->choices; choice->word; choice++)
        text_add(out, "%s%s", choice == option->choices ? "" : " ", choice->word);
}

/* What can be asked of the program itself while completing: ids are the first field of the CSV listings. */
#define LIST_MACHINES "$(roofline machines --csv 2>/dev/null | sed 1d | cut -d, -f1)"
#define LIST_MODELS "$(roofline models --csv 2>/dev/null | sed 1d | cut -d, -f1)"
#define LIST_OPS "$(roofline ops --csv 2>/dev/null | sed 1d | cut -d, -f1)"

static void make_bash(text_out *out) {
    text_add(
        out,
        "# bash completion for roofline\n_roofline() {\n    local word=${COMP_WORDS[COMP_CWORD]} "
        "before=${COMP_WORDS[COMP_CWORD-1]}\n"
        "    local words=\n    COMPREPLY=()\n    if [ \"$COMP_CWORD\" = 1 ]; then\n        COMPREPLY=($(compgen -W '");
    verb_names(out);
    text_add(out, " --help --version' -- \"$word\"))\n        return\n    fi\n    case $before in\n"
                  "    --on|--instead) COMPREPLY=($(compgen -f -W \"" LIST_MACHINES "\" -- \"$word\")); return ;;\n"
                  "    -o|--output) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n");
    for (size_t i = 0; option_at(i); i++) {
        if (!option_at(i)->choices)
            continue;
        text_add(out, "    --%s) COMPREPLY=($(compgen -W '", option_at(i)->name);
        choice_words(option_at(i), out);
        text_add(out, "' -- \"$word\")); return ;;\n");
    }
    text_add(out, "    op|ops) words=\"" LIST_OPS "\" ;;\n    model) words=\"" LIST_MODELS "\" ;;\n    esac\n"
                  "    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; verb_at(i); i++) {
        text_add(out, "    %s) words=\"$words ", verb_at(i)->name);
        option_names(verb_at(i), out);
        text_add(out, "\" ;;\n");
    }
    text_add(out,
             "    esac\n    COMPREPLY=($(compgen -f -W \"$words\" -- \"$word\"))\n}\ncomplete -F _roofline roofline\n");
}

/* Text between single quotes of a shell, with the characters `special` behind a backslash. */
static void quoted(text_out *out, const char *from, const char *special) {
    for (; *from; from++) {
        if (*from == '\'')
            text_add(out, "'\\''");
        else
            text_add(out, "%s%c", strchr(special, *from) ? "\\" : "", *from);
    }
}

static void zsh_option(const cli_option *option, text_out *out) {
    text_add(out, "            '--%s%s[", option->name, option->value ? "=" : "");
    quoted(out, option->summary, "[]:");
    text_add(out, "]");
    if (option->choices) {
        text_add(out, ":%s:(", option->name);
        choice_words(option, out);
        text_add(out, ")");
    } else if (strcmp(option->name, "on") == 0 || strcmp(option->name, "instead") == 0) {
        text_add(out, ":machine:_roofline_machines");
    } else if (strcmp(option->name, "output") == 0) {
        text_add(out, ":file:_files");
    } else if (option->value) {
        text_add(out, ":%s: ", option->name);
    }
    text_add(out, "' \\\n");
}

static void make_zsh(text_out *out) {
    text_add(out,
             "#compdef roofline\n# zsh completion for roofline\n_roofline_machines() { compadd -- ${(f)\"" LIST_MACHINES
             "\"}; _files }\n"
             "_roofline_models() { compadd -- ${(f)\"" LIST_MODELS
             "\"}; _files }\n_roofline_ops() { compadd -- ${(f)\"" LIST_OPS
             "\"} }\n_roofline() {\n    if (( CURRENT == 2 )); then\n        local -a verbs=(\n");
    for (size_t i = 0; verb_at(i); i++) {
        text_add(out, "            '%s:", verb_at(i)->name);
        quoted(out, verb_at(i)->summary, ":");
        text_add(out, "'\n");
    }
    text_add(out, "        )\n        _describe verb verbs\n        return\n    fi\n    local verb=$words[2]\n    "
                  "words=(\"${words[@]:1}\")\n"
                  "    (( CURRENT-- ))\n    case $verb in\n");
    for (size_t i = 0; verb_at(i); i++) {
        const cli_verb *verb = verb_at(i);
        const char *words = strcmp(verb->name, "model") == 0         ? "_roofline_models"
                            : strstr(verb->name, "op") == verb->name ? "_roofline_ops"
                                                                     : " ";
        text_add(out, "    %s)\n        _arguments \\\n", verb->name);
        for (size_t k = 0; option_at(k); k++)
            if (belongs(option_at(k), verb))
                zsh_option(option_at(k), out);
        text_add(out, "            '*:word:%s'\n        ;;\n", words);
    }
    text_add(out, "    esac\n}\n_roofline \"$@\"\n");
}

static void make_fish(text_out *out) {
    text_add(out, "# fish completion for roofline\n");
    for (size_t i = 0; verb_at(i); i++) {
        text_add(out, "complete -c roofline -n __fish_use_subcommand -a %s -d '", verb_at(i)->name);
        quoted(out, verb_at(i)->summary, "\\");
        text_add(out, "'\n");
    }
    for (size_t i = 0; verb_at(i); i++)
        for (size_t k = 0; option_at(k); k++) {
            const cli_option *option = option_at(k);
            if (!belongs(option, verb_at(i)))
                continue;
            text_add(out, "complete -c roofline -n '__fish_seen_subcommand_from %s' -l %s%s%s%s -d '", verb_at(i)->name,
                     option->name, option->letter ? " -s " : "", option->letter ? option->letter : "",
                     option->value ? " -r" : "");
            quoted(out, option->summary, "\\");
            text_add(out, "'");
            if (option->choices) {
                text_add(out, " -a '");
                choice_words(option, out);
                text_add(out, "'");
            }
            text_add(out, "\n");
        }
    text_add(out, "complete -c roofline -n '__fish_seen_subcommand_from op model' -l on -xa '(roofline machines --csv "
                  "| sed 1d | cut -d, -f1)'\n"
                  "complete -c roofline -n '__fish_seen_subcommand_from model' -a '(roofline models --csv | sed 1d | "
                  "cut -d, -f1)'\n"
                  "complete -c roofline -n '__fish_seen_subcommand_from op ops' -a '(roofline ops --csv | sed 1d | cut "
                  "-d, -f1)'\n");
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
