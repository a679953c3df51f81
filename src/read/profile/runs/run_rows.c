/* Our own CSV of timed runs: model,weights,metric,batch,prompt,generate,context,tensor,seconds (or tokens_per_second),
 * and of single operations: operation,seconds. docs/calibrate.md, "Your own CSV". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/profile/figures.h"
#include "read/profile/runs/record.h"

enum { WORDS_LENGTH = 512, ARGUMENTS_MAX = ROOF_SHAPE_MAX + ROOF_OPERAND_MAX };

static int refuse(const profile_job *job, const record *row, const char *what, const char *why, const char *hint) {
    roof_fail(job->error, ROOF_EFORMAT, "%s%.60s%s", why, what, what[0] ? "'" : "");
    if (hint)
        roof_hint(job->error, "%s", hint);
    if (job->error)
        job->error->line = row->line;
    return -1;
}

/* ---- one operation: "gemm m=8 n=14336 k=4096 dtype=bf16" ---- */

static const roof_parameter *parameter_of(const roof_kind_info *info, const char *name) {
    for (size_t i = 0; i < info->parameter_count; i++)
        if (strcmp(info->parameters[i].name, name) == 0)
            return &info->parameters[i];
    return NULL;
}

/* `word` is "m=8", and its '=' becomes the end of the name. What is no parameter is refused when it is built. */
static bool read_argument(const roof_kind_info *info, char *word, roof_argument *out) {
    char *equals = strchr(word, '=');
    if (equals)
        *equals = '\0';
    const roof_parameter *parameter = parameter_of(info, word);
    *out = (roof_argument){.name = word, .value = 1};
    if (!equals || !parameter)
        return !parameter || parameter->type == ROOF_PARAMETER_FLAG;
    if (parameter->type == ROOF_PARAMETER_DTYPE)
        return (out->dtype = roof_dtype_parse(equals + 1)) != ROOF_DTYPE_NONE;
    return figure_read('.', equals + 1, &out->value) == FIGURE_NUMBER;
}

/* The next word, cut out in place; NULL at the end. */
static char *next_word(char **at) {
    static const char blanks[] = " \t;";
    char *word = *at + strspn(*at, blanks), *end = word + strcspn(word, blanks);
    *at = end + (*end != '\0');
    *end = '\0';
    return word[0] ? word : NULL;
}

static int build_operation(const profile_job *job, const record *row, const char *text, roof_operation *out) {
    static const char example[] = "write a kind and its parameters: gemm m=8 n=14336 k=4096 dtype=bf16";
    char words[WORDS_LENGTH], *rest = words;
    roof_argument arguments[ARGUMENTS_MAX];
    roof_kind kind;
    size_t count = 0;
    if (strlen(text) >= sizeof words)
        return refuse(job, row, text, "an operation is too long: '", example);
    snprintf(words, sizeof words, "%s", text);
    char *word = next_word(&rest);
    int result = word ? roof_kind_find(word, &kind, job->error) : -1;
    const roof_kind_info *info = result == 0 ? roof_kind_describe(kind) : NULL;
    while (info && (word = next_word(&rest)) != NULL) {
        if (count == ARGUMENTS_MAX)
            return refuse(job, row, text, "too many parameters in '", example);
        if (!read_argument(info, word, &arguments[count++]))
            return refuse(job, row, word, "no value that can be read for '", example);
    }
    if (result == 0)
        result = roof_operation_build(kind, arguments, count, out, job->error);
    if (result && job->error)
        job->error->line = row->line;
    return result;
}

static int take_operation(profile_job *job, record *row, const char *text, double seconds) {
    draft launch = DRAFT_EMPTY;
    roof_operation operation;
    if (build_operation(job, row, text, &operation))
        return -1;
    launch.name = text;
    launch.line = row->line;
    launch.where = record_word(row, "device|gpu");
    launch.seconds = (roof_count){seconds, ROOF_CERTAINTY_COUNTED, "time of the file"};
    launch.operation = &operation;
    build_info(job->out)->rows++;
    return build_launch(job->out, &launch);
}

/* ---- one time of a model ---- */

typedef struct figures {
    double batch, prompt, generate, context;
    double seconds, rate; /* one of the two; 0 */
} figures;

/* Of all prompts together. */
static void take_prefill(const figures *of, roof_model_run *run) {
    run->prefill_rate = of->rate > 0 ? of->rate : of->batch * of->prompt / of->seconds;
    run->depth = of->context > of->prompt ? of->context - of->prompt : 0;
}

/* One step of the whole batch, or the rate of all sequences. */
static void take_step(const figures *of, roof_model_run *run) {
    run->tpot = of->seconds > 0 ? of->seconds : of->batch / of->rate;
    run->apart = true;
    run->depth = of->context > 0 ? of->context : of->prompt + of->generate / 2;
    run->prompt = run->generate = 0;
}

/* Of one sequence while `batch` are served. */
static void take_token(const figures *of, roof_model_run *run) {
    run->tpot = of->seconds > 0 ? of->seconds : 1 / of->rate;
}

/* From the first prompt token to the last output token of a batch; the rate is of output tokens. */
static void take_run(const figures *of, roof_model_run *run) {
    run->output_rate = of->rate > 0 ? of->rate : of->batch * of->generate / of->seconds;
    run->seconds = of->seconds;
}

typedef struct metric {
    const char *name, *alias;
    void (*take)(const figures *of, roof_model_run *run);
    bool prompt, generate, context; /* what it must say; context: or both of the others */
} metric;

static const metric metrics[] = {
    {"prefill", "ttft", take_prefill, .prompt = true},
    {"decode", "step", take_step, .context = true},
    {"tpot", "itl", take_token, .prompt = true, .generate = true},
    {"run", "static", take_run, .prompt = true, .generate = true},
};

static const metric *metric_of(const char *name) {
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
        if (strcmp(name, metrics[i].name) == 0 || strcmp(name, metrics[i].alias) == 0)
            return &metrics[i];
    return NULL;
}

/* A cell that is filled is a number above zero; of lengths that do not matter to the metric it may be 0. */
static int check_numbers(const profile_job *job, record *row) {
    static const char *const counts[] = {"batch|concurrency", "tensor|tp"};
    static const char *const lengths[] = {"prompt|input_tokens", "generate|output_tokens", "context"};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const char *text = record_word(row, counts[i]);
        if (text && !(record_positive(row, counts[i]) >= 1))
            return refuse(job, row, text, "a batch or tensor of less than one: '", NULL);
    }
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const char *text = record_word(row, lengths[i]);
        if (text && !(record_number(row, lengths[i]) >= 0))
            return refuse(job, row, text, "no number of tokens: '", NULL);
    }
    return 0;
}

static int check(const profile_job *job, const record *row, const metric *how, const figures *of) {
    if (how->prompt && !(of->prompt > 0))
        return refuse(job, row, how->name, "no prompt (tokens of one) beside the metric '", NULL);
    if (how->generate && !(of->generate > 0))
        return refuse(job, row, how->name, "no generate (tokens of one answer) beside the metric '", NULL);
    if (how->context && !(of->context > 0) && !(of->prompt > 0 && of->generate > 0))
        return refuse(job, row, how->name, "no context, and no prompt and generate, beside the metric '", NULL);
    return 0;
}

static int take_model(profile_job *job, record *row, double seconds, double rate) {
    const char *name = record_word(row, "metric|phase");
    const metric *how = name ? metric_of(name) : NULL;
    figures of = {.batch = record_positive(row, "batch|concurrency"),
                  .prompt = record_positive(row, "prompt|input_tokens"),
                  .generate = record_positive(row, "generate|output_tokens"),
                  .context = record_positive(row, "context"),
                  .seconds = seconds,
                  .rate = rate};
    if (!how)
        return refuse(job, row, name ? name : "", name ? "unknown metric '" : "a row names no metric",
                      "metrics are prefill, decode, tpot and run (docs/calibrate.md)");
    of.batch = of.batch > 0 ? of.batch : 1;
    roof_model_run run = {.model = record_word(row, "model"),
                          .engine = record_word(row, "engine"),
                          .device = record_word(row, "device|gpu"),
                          .weights = record_word(row, "weights"),
                          .prompt = of.prompt,
                          .generate = of.generate,
                          .concurrency = of.batch,
                          .tensor = record_positive(row, "tensor|tp"),
                          .line = row->line};
    const char *cache = record_word(row, "kv_cache");
    run.kv_cache = cache ? roof_dtype_parse(cache) : ROOF_DTYPE_NONE;
    if (cache && run.kv_cache == ROOF_DTYPE_NONE)
        return refuse(job, row, cache, "kv_cache is not a data type: '", NULL);
    if (row->refused || check_numbers(job, row) || check(job, row, how, &of))
        return -1;
    how->take(&of, &run);
    record_clean(&run);
    build_info(job->out)->rows++;
    return build_run(job->out, &run);
}

/* ---- rows ---- */

static int take_row(profile_job *job, record *row) {
    double seconds = record_positive(row, "seconds"), rate = record_positive(row, "tokens_per_second");
    const char *operation = record_word(row, "operation");
    if (row->refused)
        return -1;
    if (seconds > 0 && rate > 0)
        return refuse(job, row, "", "a row has both seconds and tokens_per_second: one of the two", NULL);
    if (!(seconds > 0) && (operation || !(rate > 0)))
        return refuse(job, row, "", "a row has no time above zero", NULL);
    if (!(seconds < 1e9) || !(rate < 1e15))
        return refuse(job, row, "", "no run takes that long or is that fast", NULL);
    return operation ? take_operation(job, row, operation, seconds) : take_model(job, row, seconds, rate);
}

static int table_row(profile_job *job, const csv_row *header, csv_row *row, bool last) {
    record taken;
    if (row->count == 1 && (row->fields[0][0] == '\0' || row->fields[0][0] == '#'))
        return 0;
    if (row->count != header->count || row->cut) {
        build_info(job->out)->dropped++;
        build_info(job->out)->ended_early |= last;
        return 0;
    }
    record_begin(&taken, job, row->line);
    record_row(&taken, header, row);
    return take_row(job, &taken);
}

/* The first line that is no comment names the columns, and what is between them: of spreadsheets a ';' or a tab. */
static int read_header(profile_job *job, lines *from, char *separator, csv_row *header) {
    size_t length;
    char *line = lines_next(from, &length);
    csv_row row;
    while (line && (line[0] == '#' || line[0] == '\0'))
        line = lines_next(from, &length);
    if (!line)
        return 0;
    *separator = csv_separator(line);
    csv_split(line, *separator, &row);
    row.line = lines_number(from);
    return record_header(job->out, &row, header)
               ? roof_fail(job->error, ROOF_ENOMEM, "out of memory while reading measurements")
               : 0;
}

static int read_rows(profile_job *job, lines *from) {
    csv_row header = {.count = 0}, row;
    char separator = ',';
    int result = read_header(job, from, &separator, &header);
    while (result == 0 && header.count > 0 && csv_next(from, separator, &row))
        result = table_row(job, &header, &row, !lines_complete(from));
    return result;
}

static int read_table(profile_job *job) {
    lines *from = lines_of(job->in, job->error);
    int result = from ? read_rows(job, from) : -1;
    lines_free(from);
    return result;
}

static int recognise(const char *head, size_t length) {
    static const char *const of_model[] = {"model", "metric|phase", "seconds|tokens_per_second"},
                             *const of_operation[] = {"operation", "seconds"};
    (void)length;
    for (const char *separator = ",;\t"; *separator; separator++)
        if (record_header_line(head, *separator, of_model, 3) >= 0 ||
            record_header_line(head, *separator, of_operation, 2) >= 0)
            return 65;
    return 0;
}

const profile_reader reader_run_rows = {
    .format = {"runs", "CSV of timed runs and operations with roofline's own columns",
               "write model,weights,metric,batch,prompt,generate,context,tensor,seconds or operation,seconds "
               "(docs/calibrate.md)",
               "runs of a model, or kernels with their operation"},
    .recognise = recognise,
    .read = read_table,
};
