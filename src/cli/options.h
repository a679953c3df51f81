/* The one table of verbs and the one table of options: parsing, --help, the man page and the completions are made from
 * them, so they cannot disagree. */
#ifndef ROOFLINE_CLI_OPTIONS_H
#define ROOFLINE_CLI_OPTIONS_H

#include "cli/out/range.h"
#include "roofline_expected.h"

enum { WORDS_MAX = 64, TEXTS_MAX = 16 };

typedef struct text_list {
    const char *items[TEXTS_MAX];
    size_t count;
} text_list;

enum { PHASE_BOTH, PHASE_PREFILL, PHASE_DECODE, PHASE_ENCODE, PHASE_VISION };
enum { LEVELS_DRAM, LEVELS_ALL };
enum { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

typedef struct engine_choice {
    bool given;
    roof_engine engine;
} engine_choice;

/* What only one verb takes. */
typedef struct op_settings {
    bool run;
} op_settings;

typedef struct model_settings {
    roof_dtype kv_cache, activations, math;
    const char *weights;
    range batch, prompt, generate, context, source, tensor;
    text_list dimensions; /* of a graph */
    int phase;            /* PHASE_BOTH ... */
    double draft, acceptance, utilisation, experts_touched, kv_block, images, image_tokens;
    bool all_logits, sparse, no_fuse, ops, layers;
} model_settings;

typedef struct profile_settings {
    bool formats, launches, compare;
    double top;
    int levels; /* LEVELS_DRAM ... */
} profile_settings;

typedef struct measure_settings {
    bool quick, thorough, samples, no_save, keep_best, replace;
    double memory;
    const char *device;
} measure_settings;

/* Everything the command line said. Zero, NULL or an empty list: it said nothing. */
typedef struct cli_settings {
    char **line; /* the command line as it was typed, the program's name first */
    int line_count;
    const struct cli_verb *verb;
    const char *words[WORDS_MAX]; /* what is neither an option nor the verb */
    size_t word_count;

    /* of several verbs: the machine, the work, the answer, where the answer goes */
    text_list on, instead, peak;
    double bandwidth, capacity, link, launch;
    roof_dtype dtype;
    engine_choice engine;
    const char *named_model, *format, *decimal; /* of files that were measured */
    bool strict;
    double threads;
    bool explain, diff;
    const char *measured, *show;
    double against;
    text_list require;
    bool json, csv, chart;
    text_list output;
    const char *save;
    double width;
    int colour; /* COLOUR_AUTO ... */

    op_settings op;
    model_settings model;
    profile_settings profile;
    measure_settings measure;
    struct {
        const char *engine; /* a class, or an engine of one */
    } calibrate;
    struct {
        const char *vendor;
    } machines;
    struct {
        const char *family;
    } models;

    bool short_help, long_help, version;
    const char *make; /* man, bash, zsh or fish */
} cli_settings;

enum { /* which verbs take an option */
       FOR_OP = 1,
       FOR_MODEL = 2,
       FOR_MACHINES = 4,
       FOR_MODELS = 8,
       FOR_OPS = 16,
       FOR_MEASURE = 64,
       FOR_PROFILE = 128,
       FOR_CALIBRATE = 256,
       FOR_JUDGING = FOR_OP | FOR_MODEL,
       FOR_LISTING = FOR_MACHINES | FOR_MODELS | FOR_OPS,
       FOR_EVERY = FOR_JUDGING | FOR_LISTING | FOR_MEASURE | FOR_PROFILE | FOR_CALIBRATE,
       FOR_NONE = 32 /* only without a verb */
};

typedef enum option_group {
    GROUP_MACHINE,
    GROUP_WORK,
    GROUP_ANSWER,
    GROUP_OUTPUT,
    GROUP_OTHER,
    GROUP_COUNT,
    GROUP_HIDDEN = GROUP_COUNT /* taken, and shown nowhere */
} option_group;

typedef enum option_kind {
    OPTION_SWITCH,   /* bool */
    OPTION_TEXT,     /* const char * */
    OPTION_TEXTS,    /* text_list: may be repeated */
    OPTION_NAMES,    /* text_list: separated by commas, and may be repeated */
    OPTION_RANGE,    /* range */
    OPTION_QUANTITY, /* double */
    OPTION_DTYPE,    /* roof_dtype */
    OPTION_CHOICE,   /* int: the value of one of `choices` */
    OPTION_ENGINE    /* engine_choice: a class, which `choices` has, or an engine of one */
} option_kind;

typedef struct option_choice {
    const char *word; /* NULL ends the list */
    int value;
} option_choice;

typedef struct cli_option {
    const char *name, *value; /* value: "LIST"; NULL: takes none */
    unsigned verbs;
    option_group group;
    option_kind kind;
    size_t offset;   /* of its field in settings */
    range_rule rule; /* RANGE, QUANTITY */
    const option_choice *choices;
    const char *summary; /* one line for -h */
    const char *details; /* more for --help and the man page; may be NULL */
    const char *letter;  /* "o", or NULL */
} cli_option;

typedef struct cli_verb {
    const char *name, *arguments;
    unsigned bit;
    const char *summary, *details;
    const char *examples[4];
    int (*run)(cli_settings *settings);
} cli_verb;

const cli_option *option_at(size_t index); /* NULL past the end */
const cli_verb *verb_at(size_t index);
size_t option_count(void);
size_t verb_count(void);
const char *option_group_name(option_group group);

/* Fill `out` (zeroed by the caller) from the command line. -1: misuse, and `error` says what. */
int options_parse(int count, char **arguments, cli_settings *out, roof_error *error);
void settings_free(cli_settings *settings);

#endif
