/* Small tables of timed kernels: GEMMs by their shapes (m,n,k and a time), kernels with a time, FLOPs and bytes in
 * columns of their own, LLMCompass's table without a header, and decodebench's JSON of attention. A time has its unit
 * in the column's name or behind the figure, or it is refused. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/profile/figures.h"
#include "read/profile/objects.h"
#include "read/profile/runs/record.h"

#define FLOPS "flops|flop|total_flops"
#define BYTES "theoretical_bytes|bytes|bytes_moved|total_bytes"

static const char *const missing_dtype = "the data type of the operands: add a column dtype (bf16, fp8, ...)";
static const char *const missing_flops = "FLOPs: the file does not have them (heads and their width are not in it)";

/* ---- one timed kernel ---- */

/* The time in seconds by the unit that its column's name ends in; 0: none. */
static double time_of(record *row, const char **unit_unknown) {
    static const char *const names[] = {"mean",    "avg",        "latency_avg", "avg_latency", "kernel_latency_avg",
                                        "latency", "duration",   "time",        "elapsed",     "runtime",
                                        "median",  "kernel_time"};
    static const struct {
        const char *behind;
        double factor;
    } units[] = {{"_us", 1e-6}, {"_ms", 1e-3}, {"_ns", 1e-9}, {"_s", 1}, {"_sec", 1}, {"_seconds", 1}};
    char name[64];
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        for (size_t u = 0; u < sizeof units / sizeof units[0]; u++) {
            snprintf(name, sizeof name, "%s%s", names[n], units[u].behind);
            double value = record_positive(row, name);
            if (value > 0)
                return value * units[u].factor;
        }
        if (record_find(row, names[n]) >= 0)
            *unit_unknown = names[n];
    }
    double seconds = record_positive(row, "seconds");
    return seconds;
}

static int refuse_line(profile_job *job, long line, const char *why, const char *hint, roof_remedy remedy) {
    roof_fail(job->error, ROOF_EFORMAT, "%s", why);
    roof_hint(job->error, "%s", hint);
    roof_suggest(job->error, remedy, "");
    if (job->error)
        job->error->line = line;
    return -1;
}

/* Beyond what any kernel has: a damaged figure. */
static bool absurd(double seconds, double flops, double bytes) {
    return !(seconds < 1e9) || !(flops < 1e30) || !(bytes < 1e24);
}

/* A dtype that is written and is none we know. */
static int dtype_of(profile_job *job, const record *row, roof_dtype *dtype) {
    const char *word = record_word(row, "dtype|precision|data_type|datatype");
    *dtype = word ? roof_dtype_parse(word) : ROOF_DTYPE_NONE;
    if (!word || *dtype != ROOF_DTYPE_NONE)
        return 0;
    roof_fail(job->error, ROOF_EFORMAT, "dtype '%.40s' is not a data type", word);
    if (job->error)
        job->error->line = row->line;
    return -1;
}

/* Without a dtype the FLOPs are known all the same, and the bytes are not. */
static int take_gemm(profile_job *job, record *row, draft *launch, const double shape[3]) {
    char name[96];
    roof_dtype dtype;
    roof_operation operation;
    if (dtype_of(job, row, &dtype))
        return -1;
    snprintf(name, sizeof name, "gemm m=%.0f n=%.0f k=%.0f", shape[0], shape[1], shape[2]);
    launch->name = name;
    if (dtype == ROOF_DTYPE_NONE) {
        draft_flops(launch, ROOF_MATRIX, ROOF_DTYPE_NONE, 2 * shape[0] * shape[1] * shape[2], ROOF_CERTAINTY_COMPUTED,
                    "shapes");
        launch->missing = missing_dtype;
        build_warning(job->out,
                      "the file does not say the data type: FLOPs come from the shapes, bytes and a roof need a "
                      "column dtype");
    } else {
        roof_gemm(&(roof_gemm_shape){.batch = 1,
                                     .m = shape[0],
                                     .n = shape[1],
                                     .k = shape[2],
                                     .a = dtype,
                                     .b = dtype,
                                     .c = roof_dtype_bits(dtype) < 16 ? ROOF_BF16 : dtype},
                  &operation);
        launch->operation = &operation;
    }
    return build_launch(job->out, launch);
}

/* "saxpy base n=1024": what tells rows of one kernel apart. */
enum { NAME_MAX_BYTES = 4095, NAME_ROOM = NAME_MAX_BYTES + 256 };

static void name_kernel(profile_job *job, record *row, const char *kernel, char *name, size_t size) {
    static const char *const parts[] = {"variant", "problem_size", "size", "m", "n", "k", "block_size", "tile_dim"};
    size_t length = strlen(kernel), used = length < NAME_MAX_BYTES ? length : NAME_MAX_BYTES;
    snprintf(name, size, "%.*s", (int)used, kernel);
    if (used < length)
        build_warning(job->out,
                      "kernel names are cut after %d bytes ('%.40s...'); names that differ only beyond that are merged",
                      NAME_MAX_BYTES, name);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        int at = record_find(row, parts[i]);
        const char *text = at < 0 ? NULL : row->fields[at].text;
        if (!text || !text[0] || strcmp(text, "0") == 0 || used + 1 >= size)
            continue;
        int more = i == 0 ? snprintf(name + used, size - used, " %.40s", text)
                          : snprintf(name + used, size - used, " %s=%.24s", parts[i], text);
        used += more > 0 ? (size_t)more : 0;
    }
}

static int take_kernel(profile_job *job, record *row, draft *launch, const char *kernel) {
    char name[NAME_ROOM];
    double flops = record_positive(row, FLOPS), bytes = record_positive(row, BYTES);
    roof_dtype dtype;
    if (dtype_of(job, row, &dtype))
        return -1;
    if (!(flops > 0) && !(bytes > 0))
        return refuse_line(job, row->line, "a kernel with a time and neither FLOPs nor bytes",
                           "add columns flops and bytes, or profile with counters", ROOF_REMEDY_LIST_FORMATS);
    name_kernel(job, row, kernel, name, sizeof name);
    launch->name = name;
    bool product = record_positive(row, "m") > 0 && record_positive(row, "n") > 0 && record_positive(row, "k") > 0;
    if (flops > 0)
        draft_flops(launch, product ? ROOF_MATRIX : ROOF_VECTOR, dtype, flops, ROOF_CERTAINTY_COMPUTED,
                    "flops of the file");
    if (bytes > 0)
        draft_bytes(launch, ROOF_DRAM, bytes, ROOF_CERTAINTY_COMPUTED, "bytes of the file");
    if (flops > 0 && dtype == ROOF_DTYPE_NONE)
        launch->missing = missing_dtype;
    return build_launch(job->out, launch);
}

static int take_row(profile_job *job, record *row) {
    draft launch = DRAFT_EMPTY;
    const char *unknown = NULL, *kernel = record_word(row, "kernel|name|op|operation|kernel_name");
    double seconds = time_of(row, &unknown);
    double shape[3] = {record_positive(row, "m"), record_positive(row, "n"), record_positive(row, "k")};
    if (row->refused)
        return -1;
    if (!(seconds > 0) && unknown)
        return refuse_line(job, row->line, "the column of the time names no unit",
                           "name it latency_us, latency_ms or seconds", ROOF_REMEDY_NONE);
    if (!(seconds > 0) || absurd(seconds, shape[0] * shape[1] * shape[2], record_positive(row, BYTES)) ||
        absurd(seconds, record_positive(row, FLOPS), 0)) {
        build_info(job->out)->dropped++;
        return 0;
    }
    launch.seconds = (roof_count){seconds, ROOF_CERTAINTY_COUNTED, "time of the file"};
    launch.line = row->line;
    launch.where = record_word(row, "device|gpu");
    build_info(job->out)->rows++;
    if (shape[0] > 0 && shape[1] > 0 && shape[2] > 0 && record_find(row, "flops|flop") < 0)
        return take_gemm(job, row, &launch, shape);
    return take_kernel(job, row, &launch, kernel ? kernel : "kernel");
}

/* ---- CSV with a header ---- */

#define TIMES                                                                                                          \
    "latency_us|latency_ms|latency_ns|latency_s|time_us|time_ms|time_ns|mean_us|mean_ms|mean_ns|avg_us|avg_ms|avg_ns|" \
    "median_us|median_ms|median_ns|duration_us|duration_ms|duration_ns"
static const char *const gemm_columns[] = {"m", "n", "k", TIMES "|latency"};
static const char *const kernel_columns[] = {"kernel|op|operation|kernel_name|name", TIMES, FLOPS "|" BYTES};
/* Tables that are known and hold nothing that a roof could judge. */
static const char *const sensor_columns[] = {"power_w", "sm_clock_mhz"};
static const char *const layer_columns[] = {"sglang_layer_ref_ms", "cute_megakernel_ms"};

#define COUNT(LIST) (sizeof(LIST) / sizeof(LIST)[0])

static bool has_columns(const csv_row *row, const char *const *columns, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (csv_column(row, columns[i]) < 0)
            return false;
    return true;
}

static int refuse_header(profile_job *job, const csv_row *row) {
    if (has_columns(row, sensor_columns, COUNT(sensor_columns)))
        return refuse_line(job, row->line, "samples of power and clock hold no kernel and no time of one",
                           "profile the kernels themselves", ROOF_REMEDY_LIST_FORMATS);
    if (has_columns(row, layer_columns, COUNT(layer_columns)))
        return refuse_line(
            job, row->line,
            "times of whole layers beside each other, without FLOPs and bytes: nothing to put under a roof",
            "write name,seconds,flops,bytes_dram, or profile with counters", ROOF_REMEDY_LIST_FORMATS);
    return 0;
}

/* Commas separate, unless the header has its columns between semicolons or tabs. */
static char separator_of(const char *head) {
    static const char marks[] = ",;\t";
    static const struct {
        const char *const *columns;
        size_t count;
    } headers[] = {{gemm_columns, COUNT(gemm_columns)},
                   {kernel_columns, COUNT(kernel_columns)},
                   {sensor_columns, COUNT(sensor_columns)},
                   {layer_columns, COUNT(layer_columns)}};
    for (const char *mark = marks; *mark; mark++)
        for (size_t i = 0; i < COUNT(headers); i++)
            if (record_header_line(head, *mark, headers[i].columns, headers[i].count) >= 0)
                return *mark;
    return 0;
}

/* Where no comma separates, all figures of the head together say which sign is the decimal mark, or it is refused. A
 * comma between commas is asked for where it is read (record_parse). */
static int decimal_of(profile_job *job, char separator, char *decimal) {
    char line[4096];
    csv_row row;
    figure_style style = {0};
    size_t length;
    const char *head = stream_head(job->in, &length);
    *decimal = job->options.decimal;
    if (separator == ',')
        return 0;
    for (; *head; head += *head == '\n') {
        size_t whole = strcspn(head, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(whole < sizeof line ? whole : 0), head);
        line[strcspn(line, "\r")] = '\0';
        csv_split(line, separator, &row);
        for (size_t i = 0; i < row.count && row.count > 1; i++)
            figure_observe(&style, row.fields[i]);
        head += whole;
    }
    if (figure_decide(&style, job->options.decimal, job->error))
        return -1;
    *decimal = style.decimal;
    return 0;
}

static int table_row(profile_job *job, char decimal, const csv_row *header, csv_row *row, bool last) {
    record taken;
    if (row->count == 1 && (row->fields[0][0] == '\0' || row->fields[0][0] == '#'))
        return 0;
    if (row->count != header->count || row->cut) {
        build_info(job->out)->dropped++;
        build_info(job->out)->ended_early |= last;
        return 0;
    }
    if (last && !row->quoted[row->count - 1])
        build_warning(job->out, "line %ld, the last, has no end: its last figure may be cut", row->line);
    record_begin(&taken, job, row->line);
    taken.decimal = decimal;
    record_row(&taken, header, row);
    return take_row(job, &taken);
}

static int table_rows(profile_job *job, lines *from) {
    csv_row header = {.count = 0}, row;
    size_t length;
    char decimal, separator = separator_of(stream_head(job->in, &length));
    separator = separator ? separator : ',';
    int result = decimal_of(job, separator, &decimal);
    while (result == 0 && csv_next(from, separator, &row)) {
        if (header.count > 0) {
            result = table_row(job, decimal, &header, &row, !lines_complete(from));
        } else if (refuse_header(job, &row)) {
            result = -1;
        } else if (has_columns(&row, gemm_columns, COUNT(gemm_columns)) ||
                   has_columns(&row, kernel_columns, COUNT(kernel_columns))) {
            if (record_header(job->out, &row, &header))
                result = roof_fail(job->error, ROOF_ENOMEM, "out of memory while reading measurements");
        }
    }
    return result;
}

static int read_table(profile_job *job) {
    lines *from = lines_of(job->in, job->error);
    int result = from ? table_rows(job, from) : -1;
    lines_free(from);
    return result;
}

static int recognise_table(const char *head, size_t length) {
    (void)length;
    return separator_of(head) ? 40 : 0;
}

/* ---- LLMCompass: "64, 12288, 12288, 0.1900ms, 101.7124Tflops", no header ---- */

enum { SHAPE_FIELDS = 5 };

/* A figure with its unit behind it: the figure in SI, 0 when it is not one. */
static double with_unit(const char *text, const char *needed) {
    char number[32], unit[16];
    size_t digits = strspn(text, "0123456789.");
    snprintf(number, sizeof number, "%.*s", (int)(digits < 24 ? digits : 24), text);
    snprintf(unit, sizeof unit, "%.12s", text + digits + strspn(text + digits, " "));
    size_t length = strlen(unit);
    if (needed[0] == 'T' && length > 0 && tolower((unsigned char)unit[length - 1]) == 's')
        unit[length - 1] = '\0'; /* "Tflops": FLOP/s */
    double value, factor = unit_factor(unit);
    bool right =
        needed[0] == 'T' ? strstr(unit, "flop") || strstr(unit, "FLOP") : strcmp(unit, "s") == 0 || unit[1] == 's';
    if (!right || !(factor > 0) || !unit[0] || figure_read('.', number, &value) != FIGURE_NUMBER)
        return 0;
    return value * factor;
}

static bool shape_row(const csv_row *row, double shape[3], double *seconds, double *rate) {
    if (row->count != SHAPE_FIELDS)
        return false;
    for (int i = 0; i < 3; i++)
        if (figure_read('.', row->fields[i], &shape[i]) != FIGURE_NUMBER || !(shape[i] >= 1) ||
            shape[i] != floor(shape[i]))
            return false;
    *seconds = with_unit(row->fields[3], "s");
    *rate = with_unit(row->fields[4], "T");
    return *seconds > 0 && *rate > 0;
}

/* The order of the three sizes is not written: FLOPs do not depend on it and the rate proves them. */
static int take_shape(profile_job *job, const csv_row *row) {
    double shape[3], seconds, rate;
    char name[96];
    draft launch = DRAFT_EMPTY;
    if (!shape_row(row, shape, &seconds, &rate)) {
        build_info(job->out)->dropped++;
        return 0;
    }
    double flops = 2 * shape[0] * shape[1] * shape[2];
    if (absurd(seconds, flops, 0) || fabs(rate * seconds / flops - 1) > 0.02) {
        build_info(job->out)->dropped++;
        build_warning(job->out,
                      "line %ld: the rate times the time is %.4g FLOPs, not the %.4g of the shapes; the row is "
                      "left out",
                      row->line, rate * seconds, flops);
        return 0;
    }
    snprintf(name, sizeof name, "matmul %.0f x %.0f x %.0f", shape[0], shape[1], shape[2]);
    launch.name = name;
    launch.line = row->line;
    launch.seconds = (roof_count){seconds, ROOF_CERTAINTY_COUNTED, "time of the file"};
    launch.missing = missing_dtype;
    draft_flops(&launch, ROOF_MATRIX, ROOF_DTYPE_NONE, flops, ROOF_CERTAINTY_COMPUTED, "shapes");
    build_info(job->out)->rows++;
    return build_launch(job->out, &launch);
}

static int read_shapes(profile_job *job) {
    lines *from = lines_of(job->in, job->error);
    csv_row row;
    int result = from ? 0 : -1;
    while (result == 0 && csv_next(from, ',', &row)) {
        if (row.count == 1 && row.fields[0][0] == '\0')
            continue;
        double before = build_info(job->out)->dropped;
        result = take_shape(job, &row);
        build_info(job->out)->ended_early |= !lines_complete(from) && build_info(job->out)->dropped > before;
    }
    if (result == 0 && build_points(job->out) > 0)
        build_warning(job->out,
                      "the file does not say the data type, nor which size is which: FLOPs come from the sizes, "
                      "bytes and a roof need columns m,n,k,latency_us,dtype");
    lines_free(from);
    return result;
}

static int recognise_shapes(const char *head, size_t length) {
    char line[256];
    csv_row row;
    double shape[3], seconds, rate;
    (void)length;
    size_t end = strcspn(head, "\r\n");
    if (end >= sizeof line)
        return 0;
    memcpy(line, head, end);
    line[end] = '\0';
    csv_split(line, ',', &row);
    return shape_row(&row, shape, &seconds, &rate) ? 60 : 0;
}

/* ---- decodebench: attention of one decode step ---- */

static int take_decode(profile_job *job, record *from) {
    draft launch = DRAFT_EMPTY;
    char name[256];
    double average = record_positive(from, "kernel_latency_avg_us"),
           bytes = record_positive(from, "approx_kv_bytes_read");
    const char *backend = record_word(from, "backend"), *workload = record_word(from, "workload_id");
    if (from->refused)
        return -1;
    if (!(average > 0) || absurd(average * 1e-6, 0, bytes)) {
        build_info(job->out)->dropped++;
        return 0;
    }
    snprintf(name, sizeof name, "%.100s%s%.100s", backend ? backend : "attention", workload ? " " : "",
             workload ? workload : "");
    launch.name = name;
    launch.where = record_word(from, "gpu");
    launch.line = from->line;
    launch.seconds = (roof_count){average * 1e-6, ROOF_CERTAINTY_COUNTED, "kernel_latency_avg_us"};
    launch.missing = missing_flops;
    if (bytes > 0) /* the cache alone: queries and the result come on top */
        draft_bytes(&launch, ROOF_DRAM, bytes, ROOF_CERTAINTY_AT_LEAST, "approx_kv_bytes_read");
    build_info(job->out)->rows++;
    if (!build_info(job->out)->device && launch.where)
        build_info(job->out)->device = build_text(job->out, launch.where);
    return build_launch(job->out, &launch);
}

static int read_objects(profile_job *job, objects *from) {
    const char *text;
    size_t length;
    bool failed;
    record taken;
    while ((text = objects_next(from, &length, &failed)) != NULL) {
        json_node *root = json_read(text, length, job->error);
        if (!root) {
            if (job->error)
                job->error->line = objects_line(from) + (job->error->line > 0 ? job->error->line - 1 : 0);
            return -1;
        }
        record_begin(&taken, job, objects_line(from));
        record_json(&taken, root);
        int result = take_decode(job, &taken);
        json_free(root);
        if (result)
            return -1;
    }
    build_info(job->out)->ended_early |= objects_cut(from);
    if (!failed && build_points(job->out) == 0 && objects_cut(from))
        return roof_fail(job->error, ROOF_EFORMAT, "the file ends inside its only JSON object");
    return failed ? -1 : 0;
}

static int read_decode(profile_job *job) {
    objects *from = objects_of(job->in, job->error);
    int result = from ? read_objects(job, from) : -1;
    objects_free(from);
    return result;
}

static int recognise_decode(const char *head, size_t length) {
    (void)length;
    return strchr(head, '{') && strstr(head, "\"kernel_latency_avg_us\"") ? 80 : 0;
}

/* ---- readers ---- */

const profile_reader reader_timings = {
    .format = {"timings", "CSV of timed kernels or GEMMs",
               "columns m,n,k,dtype,latency_us, or kernel,mean_ms,flops,bytes (docs/profiles/serving.md)",
               "kernels: time, FLOPs and bytes from the shapes or columns"},
    .recognise = recognise_table,
    .read = read_table,
};
const profile_reader reader_shapes = {
    .format = {"llmcompass", "CSV of matrix sizes, time and rate, without a header (LLMCompass)",
               "lines 'm, n, k, 0.19ms, 101.7Tflops'", "GEMMs: time and FLOPs"},
    .recognise = recognise_shapes,
    .read = read_shapes,
};
const profile_reader reader_decode = {
    .format = {"decodebench", "JSON of a decode attention kernel (decodebench)",
               "decodebench writes it for each workload", "attention: time and the bytes of the KV cache"},
    .recognise = recognise_decode,
    .read = read_decode,
};
