/* The one table of verbs and the one table of options: parsing, --help, the man page and the completions are made from
 * them, so they cannot disagree. */
#ifndef ROOFLINE_CLI_OPTIONS_H
#define ROOFLINE_CLI_OPTIONS_H

#include "cli/out/range.h"

enum { WORDS_MAX = 64, TEXTS_MAX = 16 };

typedef struct text_list {
    const char *items[TEXTS_MAX];
    size_t count;
} text_list;

enum { PHASE_BOTH, PHASE_PREFILL, PHASE_DECODE, PHASE_ENCODE, PHASE_VISION };
enum { LEVELS_DRAM, LEVELS_ALL };
enum { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/* Everything the command line said. Zero, NULL or an empty list: it said nothing. */
typedef struct cli_settings {
    char **line; /* the command line as it was typed, the program's name first */
    int line_count;
    const struct cli_verb *verb;
    const char *words[WORDS_MAX]; /* what is neither an option nor the verb */
    size_t word_count;

    text_list on, compare;
    double bandwidth, capacity, link, launch;
    text_list peak, dimensions;

    roof_dtype dtype, kv_cache, activations, math;
    const char *weights;
    range batch, prompt, generate, context, source, tensor;
    int engine; /* a roof_engine and one more; 0: none was named */
    int phase;
    double draft, acceptance, utilisation, experts_touched, kv_block, images, image_tokens;
    bool all_logits, sparse, no_fuse;

    bool ops, explain;
    const char *measured;
    bool run;
    double against;
    text_list require;

    bool quick, thorough, no_save, keep_best, replace, diff, samples;
    double threads, memory;
    const char *device, *save;

    const char *engine_class;                   /* of 'roofline calibrate' */
    const char *format, *decimal, *named_model; /* of 'roofline profile', with those down to `levels` */
    bool formats, strict, launches, pair;
    double top;
    int levels;

    bool json, csv, chart;
    text_list output;
    double width;
    int colour;

    const char *vendor, *show, *family;
    bool show_model; /* --show of 'roofline model', which takes no value */
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
    GROUP_COUNT
} option_group;
typedef enum option_kind {
    OPTION_SWITCH,   /* bool */
    OPTION_TEXT,     /* const char * */
    OPTION_TEXTS,    /* text_list: may be repeated */
    OPTION_NAMES,    /* text_list: separated by commas, and may be repeated */
    OPTION_RANGE,    /* range */
    OPTION_QUANTITY, /* double */
    OPTION_DTYPE,    /* roof_dtype */
    OPTION_CHOICE,   /* int: the index of one of `choices` */
    OPTION_ENGINE    /* int: a roof_engine and one more; `choices` are its classes */
} option_kind;

typedef struct cli_option {
    const char *name, *letter; /* letter: "o", or NULL */
    const char *value;         /* "LIST"; NULL: takes none */
    unsigned verbs;
    option_group group;
    option_kind kind;
    size_t offset;       /* of its field in settings */
    range_rule rule;     /* RANGE, QUANTITY */
    const char *choices; /* CHOICE, ENGINE: "auto|always|never" */
    const char *summary; /* one line for -h */
    const char *details; /* more for --help and the man page; may be NULL */
    bool hidden;
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
