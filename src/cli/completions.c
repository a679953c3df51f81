/* Completions for bash, zsh and fish. What an option takes is its choices, the names of data types, or what the program
 * itself lists: the shell asks it while completing, so that measured machines and devices are there, too. */
#include "cli/completions.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/help.h"

/* ---- what an option takes ---- */

/* The first field of a listing as CSV. */
#define FIRST(listing) "roofline " listing " --csv 2>/dev/null | sed 1d | cut -d, -f1"
#define MACHINES FIRST("machines")
#define MODELS FIRST("models")
#define OPS FIRST("ops")

typedef struct value_source {
    const char *option;
    unsigned verbs;            /* of which the option is */
    void (*words)(text_out *); /* written once, */
    const char *command;       /* or listed when asked, a line each; NULL: nothing */
    bool files;
} value_source;

static void say_devices(text_out *out) {
    text_add(out, "cpu list");
}

/* The catalogue has those of one vendor together. */
static void say_vendors(text_out *out) {
    roof_machine machine;
    for (size_t i = 0; roof_machine_at(i, &machine) == 0; i++)
        if (machine.vendor && !strchr(machine.vendor, ' ') && !(out->length > 0 && strstr(out->bytes, machine.vendor)))
            text_add(out, "%s%s", out->length > 0 ? " " : "", machine.vendor);
}

static void say_dtypes(text_out *out) {
    for (int i = ROOF_DTYPE_NONE + 1; i < ROOF_DTYPE_COUNT; i++)
        text_add(out, "%s%s", out->length > 0 ? " " : "", roof_dtype_name((roof_dtype)i));
}

static const value_source sources[] = {
    {"on", FOR_EVERY, NULL, MACHINES, true},
    {"instead", FOR_EVERY, NULL, MACHINES, true},
    {"model", FOR_EVERY, NULL, MODELS, true},
    {"format", FOR_EVERY, NULL, FIRST("profile --formats"), false},
    {"device", FOR_EVERY, say_devices, FIRST("measure --device list"), false},
    {"vendor", FOR_EVERY, say_vendors, NULL, false},
    {"family", FOR_EVERY, models_families, NULL, false},
    {"weights", FOR_EVERY, say_dtypes, NULL, false},
    {"show", FOR_MACHINES, NULL, MACHINES, false},
    {"show", FOR_MODELS, NULL, MODELS, false},
    {"output", FOR_EVERY, NULL, NULL, true},
    {"save", FOR_EVERY, NULL, NULL, true},
};

static const value_source *source_of(const cli_option *option, unsigned verbs) {
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (strcmp(sources[i].option, option->name) == 0 && (sources[i].verbs & option->verbs & verbs))
            return &sources[i];
    return NULL;
}

static bool belongs(const cli_option *option, unsigned verbs) {
    return (option->verbs & verbs) && option->group != GROUP_HIDDEN;
}

static bool has_words(const cli_option *option) {
    const value_source *from = source_of(option, FOR_EVERY);
    return option->choices || option->kind == OPTION_DTYPE || (from && from->words);
}

/* What needs no question when asked. */
static void add_words(const cli_option *option, text_out *out) {
    const value_source *from = source_of(option, FOR_EVERY);
    text_out words = {0};
    for (const option_choice *choice = option->choices; choice && choice->word; choice++)
        text_add(&words, "%s%s", words.length > 0 ? " " : "", choice->word);
    if (option->kind == OPTION_DTYPE)
        say_dtypes(&words);
    if (from && from->words)
        from->words(&words);
    if (words.length > 0)
        text_bytes(out, words.bytes, words.length);
    text_free(&words);
}

static void add_names(const char *before, text_out *out, unsigned verbs) {
    bool any = false;
    for (size_t i = 0; option_at(i); i++)
        if (belongs(option_at(i), verbs)) {
            text_add(out, "%s%s%s", any ? " " : "", before, option_at(i)->name);
            any = true;
        }
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

/* ---- bash ---- */

/* A case for the value of an option of these verbs (`verb`: "models:", or ""); nothing where only its user knows it. */
static void bash_values(const cli_option *option, unsigned verbs, const char *verb, text_out *out) {
    const value_source *from = source_of(option, verbs);
    if (!has_words(option) && !from)
        return;
    text_add(out, "    %s--%s) COMPREPLY=($(compgen%s", verb, option->name, from && from->files ? " -f" : "");
    if (has_words(option) || from->command) {
        text_add(out, " -W \"");
        add_words(option, out);
        if (from && from->command)
            text_add(out, "%s$(%s)", has_words(option) ? " " : "", from->command);
        text_add(out, "\"");
    }
    text_add(out, " -- \"$word\")); return ;;\n");
}

static bool is_told_apart(const cli_option *option) {
    return source_of(option, FOR_EVERY) && source_of(option, FOR_EVERY)->verbs != FOR_EVERY;
}

/* "--on NAME" and "--on=NAME": bash takes "=" for a word. After an operation its parameters. */
void make_bash(text_out *out) {
    text_add(out, "# bash completion for roofline\n_roofline() {\n"
                  "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
                  "    [ \"$word\" != = ] || word=\n"
                  "    [ \"$before\" != = ] || before=${COMP_WORDS[COMP_CWORD-2]}\n"
                  "    COMPREPLY=()\n    if [ \"$COMP_CWORD\" = 1 ]; then\n        COMPREPLY=($(compgen -W '");
    for (size_t i = 0; verb_at(i); i++)
        text_add(out, "%s ", verb_at(i)->name);
    text_add(out, "--help --version' -- \"$word\"))\n        return\n    fi\n    case ${COMP_WORDS[1]}:$before in\n");
    for (size_t i = 0; verb_at(i); i++)
        for (size_t k = 0; option_at(k); k++)
            if (belongs(option_at(k), verb_at(i)->bit) && is_told_apart(option_at(k))) {
                char verb[32];
                snprintf(verb, sizeof verb, "%s:", verb_at(i)->name);
                bash_values(option_at(k), verb_at(i)->bit, verb, out);
            }
    text_add(out, "    esac\n    case $before in\n");
    for (size_t k = 0; option_at(k); k++)
        if (option_at(k)->group != GROUP_HIDDEN && !is_told_apart(option_at(k)))
            bash_values(option_at(k), FOR_EVERY, "", out);
    text_add(out, "    -o) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n"
                  "    op|ops) words=\"$(" OPS ")\" ;;\n    model) words=\"$(" MODELS ")\" ;;\n    esac\n"
                  "    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; verb_at(i); i++) {
        text_add(out, "    %s) words=\"$words ", verb_at(i)->name);
        add_names("--", out, verb_at(i)->bit);
        text_add(out, "\" ;;\n");
    }
    text_add(
        out,
        "    esac\n"
        "    if [ \"${COMP_WORDS[1]}\" = op ] && [ \"$COMP_CWORD\" -gt 2 ] && [ \"${word#-}\" = \"$word\" ]; then\n"
        "        words=\"$(roofline ops --csv 2>/dev/null | grep \"^${COMP_WORDS[2]},\" | sed 's/.*,//' |\n"
        "            tr ' ' '\\n' | sed 's/=.*/=/') $words\"\n        compopt -o nospace 2>/dev/null\n    fi\n"
        "    COMPREPLY=($(compgen -f -W \"$words\" -- \"$word\"))\n}\ncomplete -F _roofline roofline\n");
}

/* ---- zsh ---- */

static void zsh_option(const cli_option *option, unsigned verb, text_out *out) {
    const value_source *from = source_of(option, verb);
    text_add(out, "            '--%s%s[", option->name, option->value ? "=" : "");
    quoted(out, option->summary, "[]:");
    text_add(out, "]");
    if (option->value)
        text_add(out, ":%s:", option->name);
    if (from && from->command) {
        text_add(out, "{_roofline_list \"");
        add_words(option, out);
        text_add(out, "\" \"");
        quoted(out, from->command, "");
        text_add(out, "\"%s}", from->files ? "; _files" : "");
    } else if (from && from->files) {
        text_add(out, "_files");
    } else if (has_words(option)) {
        text_add(out, "(");
        add_words(option, out);
        text_add(out, ")");
    } else if (option->value) {
        text_add(out, " ");
    }
    text_add(out, "' \\\n");
}

static void zsh_verb(const cli_verb *verb, text_out *out) {
    text_add(out, "    %s)\n        _arguments \\\n", verb->name);
    for (size_t k = 0; option_at(k); k++)
        if (belongs(option_at(k), verb->bit))
            zsh_option(option_at(k), verb->bit, out);
    text_add(out, "            '*:word:");
    if (verb->bit & (FOR_OP | FOR_OPS))
        text_add(out, "{_roofline_list \"\" \"" OPS "\"}");
    else if (verb->bit & FOR_MODEL)
        text_add(out, "{_roofline_list \"\" \"" MODELS "\"; _files}");
    else
        text_add(out, verb->bit & (FOR_PROFILE | FOR_CALIBRATE) ? "_files" : " ");
    text_add(out, "'\n        ;;\n");
}

void make_zsh(text_out *out) {
    text_add(out, "#compdef roofline\n# zsh completion for roofline\n"
                  "_roofline_list() { compadd -- ${=1} ${(f)\"$(eval $2)\"} }\n_roofline() {\n"
                  "    if (( CURRENT == 2 )); then\n        local -a verbs=(\n");
    for (size_t i = 0; verb_at(i); i++) {
        text_add(out, "            '%s:", verb_at(i)->name);
        quoted(out, verb_at(i)->summary, ":");
        text_add(out, "'\n");
    }
    text_add(out, "        )\n        _describe verb verbs\n        return\n    fi\n    local verb=$words[2]\n    "
                  "words=(\"${words[@]:1}\")\n    (( CURRENT-- ))\n    case $verb in\n");
    for (size_t i = 0; verb_at(i); i++)
        zsh_verb(verb_at(i), out);
    text_add(out, "    esac\n}\n_roofline \"$@\"\n");
}

/* ---- fish ---- */

static void fish_option(const cli_option *option, const cli_verb *verb, text_out *out) {
    const value_source *from = source_of(option, verb->bit);
    bool lists = from && from->command;
    text_add(out, "complete -c roofline -n '__fish_seen_subcommand_from %s' -l %s%s%s%s -d '", verb->name, option->name,
             option->letter ? " -s " : "", option->letter ? option->letter : "",
             !option->value                                          ? ""
             : (has_words(option) || from) && !(from && from->files) ? " -x"
                                                                     : " -r");
    quoted(out, option->summary, "\\");
    text_add(out, "'");
    if (has_words(option) || lists) {
        text_add(out, " -a '");
        add_words(option, out);
        if (lists) {
            text_add(out, "%s(", has_words(option) ? " " : "");
            for (const char *at = from->command; *at; at++) /* fish knows \' between single quotes */
                text_add(out, "%s%c", *at == '\'' ? "\\" : "", *at);
            text_add(out, ")");
        }
        text_add(out, "'");
    }
    text_add(out, "\n");
}

void make_fish(text_out *out) {
    text_add(out, "# fish completion for roofline\n");
    for (size_t i = 0; verb_at(i); i++) {
        text_add(out, "complete -c roofline -n __fish_use_subcommand -a %s -d '", verb_at(i)->name);
        quoted(out, verb_at(i)->summary, "\\");
        text_add(out, "'\n");
    }
    for (size_t i = 0; verb_at(i); i++)
        for (size_t k = 0; option_at(k); k++)
            if (belongs(option_at(k), verb_at(i)->bit))
                fish_option(option_at(k), verb_at(i), out);
    text_add(out, "complete -c roofline -n '__fish_seen_subcommand_from model' -a '(" MODELS ")'\n"
                  "complete -c roofline -n '__fish_seen_subcommand_from op ops' -a '(" OPS ")'\n");
}
