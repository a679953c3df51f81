/* The answer of `roofline profile` as JSON (docs/json.md), CSV that reads back, and a chart. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/profile/profile.h"
#include "roofline_chart.h"

/* ---- JSON ---- */

static void emit_known(emit *json, const char *key, double value) { /* what is not known is null */
    emit_number(json, key, value > 0 ? value : HUGE_VAL);
}

/* No FLOPs over known bytes are 0 FLOPs a byte; what is not known is no number. */
static double known_intensity(const roof_placement *placed) {
    roof_count flops = profile_flops(placed), bytes = profile_bytes(placed, ROOF_DRAM);
    bool none =
        (flops.certainty == ROOF_CERTAINTY_COUNTED || flops.certainty == ROOF_CERTAINTY_COMPUTED) && flops.value <= 0;
    if (placed->intensity[ROOF_DRAM] > 0)
        return placed->intensity[ROOF_DRAM];
    return none && bytes.certainty != ROOF_CERTAINTY_MISSING && bytes.value > 0 ? 0 : HUGE_VAL;
}

static void emit_count(emit *json, const char *key, const roof_count *count) {
    emit_number(json, key, count->certainty == ROOF_CERTAINTY_MISSING ? HUGE_VAL : count->value);
}

static void emit_or_null(emit *json, const char *key, const char *text) {
    if (text && text[0])
        emit_string(json, key, text);
    else
        emit_null(json, key);
}

static void flops_json(const roof_measured *m, emit *json) {
    emit_array(json, "flops_by");
    for (size_t i = 0; i < m->flop_count; i++) {
        emit_row(json, NULL);
        emit_string(json, "unit", roof_unit_name(m->flops[i].unit));
        emit_or_null(json, "dtype", m->flops[i].dtype != ROOF_DTYPE_NONE ? roof_dtype_name(m->flops[i].dtype) : NULL);
        emit_count(json, "flops", &m->flops[i].count);
        emit_string(json, "certainty", profile_certainty_name(m->flops[i].count.certainty));
        emit_or_null(json, "from", m->flops[i].count.from);
        emit_end(json);
    }
    emit_end(json);
}

static void levels_json(const roof_placement *placed, emit *json) {
    emit_row(json, "bytes");
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++) {
        roof_count bytes = profile_bytes(placed, (roof_level)level);
        emit_count(json, profile_level_key((roof_level)level), &bytes);
    }
    emit_end(json);
    emit_row(json, "bytes_certainty");
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
        emit_string(json, profile_level_key((roof_level)level),
                    profile_certainty_name(profile_bytes(placed, (roof_level)level).certainty));
    emit_end(json);
    emit_number(json, "intensity", known_intensity(placed));
    emit_row(json, "intensities");
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
        emit_known(json, profile_level_key((roof_level)level), placed->intensity[level]);
    emit_end(json);
}

static void verdict_json(const roof_placement *placed, emit *json) {
    char roof[48];
    bool bound = placed->bound != ROOF_BOUND_NONE;
    emit_string(json, "standing", roof_standing_name(placed->standing));
    emit_or_null(json, "bound", bound ? roof_bound_name(placed->bound) : NULL);
    emit_or_null(json, "roof", profile_roof(placed, roof, sizeof roof));
    emit_bool(json, "one_sided", placed->one_sided);
    emit_known(json, "roof_seconds", placed->least_seconds);
    emit_known(json, "roof_share", profile_fraction(placed));
    emit_known(json, "headroom", placed->headroom);
    emit_number(json, "gain", bound ? placed->gain : HUGE_VAL);
    emit_number(json, "saved", bound ? placed->saved : HUGE_VAL);
    emit_known(json, "compute_share", placed->compute_fraction);
    emit_row(json, "level_share");
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
        emit_known(json, profile_level_key((roof_level)level), placed->level_fraction[level]);
    emit_end(json);
}

static void point_json(const roof_placement *placed, emit *json) {
    const roof_measured *m = placed->measured;
    roof_count flops = profile_flops(placed), matrix = profile_matrix_flops(placed);
    emit_string(json, "name", m->name);
    emit_or_null(json, "where", m->where);
    emit_number(json, "calls", m->calls);
    emit_known(json, "seconds", placed->seconds);
    emit_known(json, "least_seconds", m->least_seconds);
    emit_known(json, "most_seconds", m->most_seconds);
    emit_number(json, "share", placed->seconds > 0 ? placed->share : HUGE_VAL);
    emit_count(json, "flops", &flops);
    emit_string(json, "flops_certainty", profile_certainty_name(flops.certainty));
    emit_count(json, "matrix_flops", &matrix);
    flops_json(m, json);
    levels_json(placed, json);
    emit_number(json, "attained",
                flops.certainty == ROOF_CERTAINTY_MISSING || !(placed->seconds > 0) ? HUGE_VAL : placed->attained);
    verdict_json(placed, json);
    emit_known(json, "clock", m->clock);
    emit_number(json, "matrix_active", m->matrix_active >= 0 ? m->matrix_active : HUGE_VAL);
    emit_or_null(json, "diagnosis", placed->diagnosis);
    emit_or_null(json, "missing", m->missing);
    emit_number(json, "line", m->line > 0 ? (double)m->line : HUGE_VAL);
}

static void phase_json(const char *key, const struct roof_run_phase *phase, const profile_expected *expected,
                       emit *json) {
    emit_object(json, key);
    emit_known(json, "tokens_per_second", phase->measured);
    emit_known(json, "roof_tokens_per_second", phase->bound);
    emit_known(json, "expected_tokens_per_second", expected->rate);
    emit_known(json, "expected_low", expected->low);
    emit_known(json, "expected_high", expected->high);
    emit_known(json, "of_expected", expected->of_expected);
    emit_known(json, "seconds", phase->seconds);
    emit_known(json, "roof_seconds", phase->least_seconds);
    emit_or_null(json, "bound", phase->limit != ROOF_BOUND_NONE ? roof_bound_name(phase->limit) : NULL);
    emit_known(json, "roof_share", phase->fraction);
    emit_known(json, "headroom", phase->headroom);
    emit_known(json, "rate", phase->rate);
    emit_known(json, "attained", phase->attained);
    emit_known(json, "compute_share", phase->compute_fraction);
    emit_or_null(json, "words", phase->words);
    emit_end(json);
}

static void run_json(const profile_run *run, emit *json) {
    const roof_model_run *of = run->placed.run;
    emit_object(json, NULL);
    emit_string(json, "file", run->file->path);
    emit_or_null(json, "model", of->model);
    emit_or_null(json, "judged_as", run->model ? run->model->id : NULL);
    emit_or_null(json, "engine", of->engine);
    emit_string(json, "engine_class", roof_engine_name(run->engine));
    emit_or_null(json, "device", of->device);
    emit_or_null(json, "weights", of->weights);
    emit_known(json, "parameters", of->parameters);
    emit_known(json, "model_bytes", of->model_bytes);
    emit_known(json, "prompt", of->prompt);
    emit_known(json, "generate", of->generate);
    emit_known(json, "depth", of->depth);
    emit_known(json, "concurrency", of->concurrency);
    emit_known(json, "tensor", of->tensor);
    emit_known(json, "output_tokens_per_second", of->output_rate);
    emit_known(json, "total_tokens_per_second", of->total_rate);
    emit_known(json, "ttft", of->ttft);
    emit_known(json, "tpot", of->tpot);
    emit_known(json, "spread", of->spread);
    if (run->placed.has_prefill)
        phase_json("prefill", &run->placed.prefill, &run->prefill, json);
    if (run->placed.has_decode)
        phase_json("decode", &run->placed.decode, &run->decode, json);
    emit_or_null(json, "diagnosis", run->placed.diagnosis);
    emit_end(json);
}

static void files_json(const profile_question *question, emit *json) {
    emit_array(json, "files");
    for (size_t i = 0; i < question->file_count; i++) {
        const profile_file *file = &question->files[i];
        const roof_profile_info *about = roof_profile_about(file->profile);
        emit_object(json, NULL);
        emit_string(json, "path", file->path);
        emit_string(json, "format", about->format->id);
        emit_or_null(json, "tool", about->tool);
        emit_or_null(json, "device", about->device);
        emit_number(json, "rows", about->rows);
        emit_number(json, "dropped", about->dropped);
        emit_bool(json, "ended_early", about->ended_early);
        emit_known(json, "seconds", about->total_seconds);
        emit_end(json);
    }
    emit_end(json);
}

static void summary_json(const profile_question *question, emit *json) {
    profile_sums sums = profile_sum(question, 0, question->count);
    emit_object(json, "summary");
    emit_number(json, "points", (double)question->count);
    emit_number(json, "seconds", sums.seconds);
    emit_number(json, "gain", sums.gain);
    emit_number(json, "saved", sums.saved);
    emit_row(json, "share");
    emit_number(json, "near", sums.share[ROOF_STANDING_NEAR]);
    emit_number(json, "below", sums.share[ROOF_STANDING_BELOW]);
    emit_number(json, "above", sums.share[ROOF_STANDING_ABOVE]);
    emit_number(json, "unknown", sums.share[ROOF_STANDING_UNKNOWN]);
    emit_end(json);
    emit_end(json);
}

static void warnings_json(const profile_question *question, emit *json) {
    const char *warning;
    emit_array(json, "warnings");
    for (size_t i = 0; i < question->file_count; i++)
        for (size_t k = 0; (warning = profile_warning(&question->files[i], k)); k++)
            emit_string(json, NULL, warning);
    emit_end(json);
}

void profile_json(const void *context, emit *json) {
    const profile_question *question = context;
    machine_json(question->machine, "machine", json);
    files_json(question, json);
    summary_json(question, json);
    emit_array(json, "points");
    for (size_t i = 0; i < question->count; i++) {
        emit_object(json, NULL);
        point_json(&question->placed[question->order[i]], json);
        emit_end(json);
    }
    emit_end(json);
    emit_array(json, "runs");
    for (size_t i = 0; i < question->run_count; i++)
        run_json(&question->runs[i], json);
    emit_end(json);
    warnings_json(question, json);
}

void profile_compare_json(const void *context, emit *json) {
    const profile_question *question = context;
    machine_json(question->machine, "machine", json);
    files_json(question, json);
    emit_array(json, "moved");
    for (size_t i = 0; i < question->moved_count; i++) {
        const roof_moved *moved = &question->moved[i];
        emit_object(json, NULL);
        emit_string(json, "name", (moved->after ? moved->after : moved->before)->measured->name);
        emit_known(json, "speedup", moved->speedup);
        emit_string(json, "words", moved->words);
        const roof_placement *sides[] = {moved->before, moved->after};
        for (int k = 0; k < 2; k++) {
            const char *key = k ? "after" : "before";
            if (!sides[k]) {
                emit_null(json, key);
                continue;
            }
            emit_object(json, key);
            point_json(sides[k], json);
            emit_end(json);
        }
        emit_end(json);
    }
    emit_end(json);
    warnings_json(question, json);
}

/* ---- CSV: the columns of our own format first, then the verdict ---- */

typedef struct dtype_columns { /* which FLOPs columns there are */
    bool used[ROOF_UNIT_COUNT][ROOF_DTYPE_COUNT];
} dtype_columns;

static dtype_columns find_dtypes(const profile_question *question) {
    dtype_columns found = {{{false}}};
    for (size_t i = 0; i < question->count; i++) {
        const roof_measured *m = &question->measured[i];
        for (size_t k = 0; k < m->flop_count; k++)
            found.used[m->flops[k].unit][m->flops[k].dtype] = true;
        if (m->has_operation && m->operation.matrix_flops > 0)
            found.used[ROOF_MATRIX][m->operation.matrix_dtype] = true;
        if (m->has_operation && m->operation.vector_flops > 0)
            found.used[ROOF_VECTOR][m->operation.vector_dtype] = true;
    }
    found.used[ROOF_VECTOR][ROOF_DTYPE_NONE] = found.used[ROOF_MATRIX][ROOF_DTYPE_NONE] = false;
    return found;
}

static bool is_by_shapes(const roof_placement *placed) {
    roof_count all = profile_flops(placed);
    return all.from && strcmp(all.from, "shapes") == 0 && placed->measured->has_operation;
}

static const roof_count *dtype_count(const roof_measured *m, roof_unit unit, roof_dtype dtype) {
    for (size_t i = 0; i < m->flop_count; i++)
        if (m->flops[i].unit == unit && m->flops[i].dtype == dtype)
            return &m->flops[i].count;
    return NULL;
}

/* FLOPs of one unit and dtype, as they were judged. Blank: none of them. "n/a": not counted. */
static void csv_dtype(const roof_placement *placed, roof_unit unit, roof_dtype dtype, text_out *out) {
    const roof_measured *m = placed->measured;
    const roof_count *count = dtype_count(m, unit, dtype);
    double calls = m->calls > 0 ? m->calls : 1, value = HUGE_VAL;
    if (is_by_shapes(placed)) {
        bool mine = dtype == (unit == ROOF_MATRIX ? m->operation.matrix_dtype : m->operation.vector_dtype);
        double flops = unit == ROOF_MATRIX ? m->operation.matrix_flops : m->operation.vector_flops;
        bool zero = count && count->certainty != ROOF_CERTAINTY_MISSING && !(count->value > 0);
        value = mine && flops > 0 ? flops * calls : zero ? 0 : HUGE_VAL;
    } else if (count && count->certainty == ROOF_CERTAINTY_MISSING) {
        csv_text(out, "n/a");
        return;
    } else if (count) {
        value = count->value;
    }
    csv_number(out, value);
}

static void csv_count(text_out *out, const roof_count *count) {
    csv_number(out, count->certainty == ROOF_CERTAINTY_MISSING ? HUGE_VAL : count->value);
}

static void csv_known(text_out *out, double value) {
    csv_number(out, value > 0 ? value : HUGE_VAL);
}

/* Is the sum a lower bound because a part of it was not counted at all? The other parts may be whole then. */
static bool lacks_a_part(const roof_placement *placed) {
    const roof_measured *m = placed->measured;
    bool matrix = false, lacks = false;
    for (size_t i = 0; i < m->flop_count; i++) {
        lacks |= m->flops[i].count.certainty == ROOF_CERTAINTY_MISSING && m->flops[i].dtype != ROOF_DTYPE_NONE;
        matrix |= m->flops[i].unit == ROOF_MATRIX && m->flops[i].count.value > 0;
    }
    return !is_by_shapes(placed) && (lacks || (m->matrix_active > 0 && !matrix));
}

/* "flops dram": the counts that are of this certainty. */
static void csv_certain(const roof_placement *placed, roof_certainty certainty, text_out *out) {
    const roof_measured *m = placed->measured;
    text_out words = {0};
    if (m->seconds.certainty == certainty)
        text_add(&words, "seconds");
    if (profile_flops(placed).certainty == certainty)
        text_add(&words, "%sflops", words.length ? " " : "");
    for (size_t i = 0; i < m->flop_count && certainty == ROOF_CERTAINTY_AT_LEAST && lacks_a_part(placed); i++)
        if (m->flops[i].count.certainty == ROOF_CERTAINTY_AT_LEAST && m->flops[i].dtype != ROOF_DTYPE_NONE)
            text_add(&words, " %sflops_%s", m->flops[i].unit == ROOF_MATRIX ? "matrix_" : "",
                     roof_dtype_name(m->flops[i].dtype));
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
        if (profile_bytes(placed, (roof_level)level).certainty == certainty)
            text_add(&words, "%s%s", words.length ? " " : "", profile_level_key((roof_level)level));
    csv_text(out, words.bytes ? words.bytes : "");
    text_free(&words);
}

static void csv_head(const dtype_columns *dtypes, text_out *out) {
    text_add(out, "name,where,calls,seconds,least_seconds,most_seconds,flops,matrix_flops");
    for (int unit = ROOF_UNIT_COUNT - 1; unit >= 0; unit--)
        for (int dtype = 0; dtype < ROOF_DTYPE_COUNT; dtype++)
            if (dtypes->used[unit][dtype])
                text_add(out, ",%sflops_%s", unit == ROOF_MATRIX ? "matrix_" : "", roof_dtype_name((roof_dtype)dtype));
    text_add(out,
             ",bytes_dram,bytes_l3,bytes_l2,bytes_l1,clock,matrix_active,at_least,computed,share,standing,bound,roof,"
             "roof_seconds,roof_share,headroom,gain,saved,intensity,one_sided,diagnosis,missing\n");
}

static void csv_verdict(const roof_placement *placed, text_out *out) {
    char roof[48];
    bool bound = placed->bound != ROOF_BOUND_NONE;
    csv_number(out, placed->seconds > 0 ? placed->share : HUGE_VAL);
    csv_text(out, roof_standing_name(placed->standing));
    csv_text(out, bound ? roof_bound_name(placed->bound) : "");
    csv_text(out, profile_roof(placed, roof, sizeof roof));
    csv_known(out, placed->least_seconds);
    csv_known(out, profile_fraction(placed));
    csv_known(out, placed->headroom);
    csv_number(out, bound ? placed->gain : HUGE_VAL);
    csv_number(out, bound ? placed->saved : HUGE_VAL);
    csv_number(out, known_intensity(placed));
    csv_bool(out, placed->one_sided);
    csv_text(out, placed->diagnosis);
    csv_text(out, placed->measured->missing);
    csv_end(out);
}

static void csv_row_of(const roof_placement *placed, const dtype_columns *dtypes, text_out *out) {
    const roof_measured *m = placed->measured;
    roof_count flops = profile_flops(placed), matrix = profile_matrix_flops(placed);
    csv_text(out, m->name);
    csv_text(out, m->where);
    csv_number(out, m->calls);
    csv_known(out, placed->seconds);
    csv_known(out, m->least_seconds);
    csv_known(out, m->most_seconds);
    csv_count(out, &flops);
    csv_count(out, &matrix);
    for (int unit = ROOF_UNIT_COUNT - 1; unit >= 0; unit--)
        for (int dtype = 0; dtype < ROOF_DTYPE_COUNT; dtype++)
            if (dtypes->used[unit][dtype])
                csv_dtype(placed, (roof_unit)unit, (roof_dtype)dtype, out);
    static const roof_level levels[] = {ROOF_DRAM, ROOF_L3, ROOF_L2, ROOF_L1};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        roof_count bytes = profile_bytes(placed, levels[i]);
        csv_count(out, &bytes);
    }
    csv_known(out, m->clock);
    csv_number(out, m->matrix_active >= 0 ? m->matrix_active : HUGE_VAL);
    csv_certain(placed, ROOF_CERTAINTY_AT_LEAST, out);
    csv_certain(placed, ROOF_CERTAINTY_COMPUTED, out);
    csv_verdict(placed, out);
}

static void csv_phase(const struct roof_run_phase *phase, bool has, text_out *out) {
    csv_known(out, has ? phase->measured : 0);
    csv_known(out, has ? phase->bound : 0);
    csv_known(out, has ? phase->fraction : 0);
    csv_known(out, has ? phase->headroom : 0);
    csv_text(out, has && phase->limit != ROOF_BOUND_NONE ? roof_bound_name(phase->limit) : "");
}

static void csv_runs(const profile_question *question, text_out *out) {
    text_add(out, "model,weights,engine,device,prompt,generate,depth,concurrency,tensor,"
                  "prefill_tokens_per_second,prefill_roof,prefill_roof_share,prefill_headroom,prefill_bound,"
                  "decode_tokens_per_second,decode_roof,decode_roof_share,decode_headroom,decode_bound,diagnosis,"
                  "engine_class,prefill_expected,decode_expected\n");
    for (size_t i = 0; i < question->run_count; i++) {
        const roof_run_verdict *placed = &question->runs[i].placed;
        const roof_model_run *run = placed->run;
        csv_text(out, run->model ? run->model : "-");
        csv_text(out, run->weights);
        csv_text(out, run->engine);
        csv_text(out, run->device);
        csv_known(out, run->prompt);
        csv_known(out, run->generate);
        csv_known(out, run->depth);
        csv_known(out, run->concurrency);
        csv_known(out, run->tensor);
        csv_phase(&placed->prefill, placed->has_prefill, out);
        csv_phase(&placed->decode, placed->has_decode, out);
        csv_text(out, placed->diagnosis);
        csv_text(out, roof_engine_name(question->runs[i].engine));
        csv_known(out, question->runs[i].prefill.rate);
        csv_known(out, question->runs[i].decode.rate);
        csv_end(out);
    }
}

static void csv_roofs(const profile_question *question, text_out *out) {
    const roof_machine *machine = roof_profile_machine(question->files[0].profile);
    text_add(out, "kind,unit,dtype,level,value\n");
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
        if (machine->bandwidth[level].origin != ROOF_ORIGIN_UNKNOWN) {
            text_add(out, "memory,,,%s", roof_level_name((roof_level)level));
            csv_number(out, machine->bandwidth[level].value);
            csv_end(out);
        }
    for (int unit = 0; unit < ROOF_UNIT_COUNT; unit++)
        for (int dtype = 0; dtype < ROOF_DTYPE_COUNT; dtype++)
            if (machine->peak[unit][dtype].origin != ROOF_ORIGIN_UNKNOWN) {
                text_add(out, "compute,%s,%s,", roof_unit_name((roof_unit)unit), roof_dtype_name((roof_dtype)dtype));
                csv_number(out, machine->peak[unit][dtype].value);
                csv_end(out);
            }
}

void profile_csv(const void *context, text_out *out) {
    const profile_question *question = context;
    if (!question->machine) {
        csv_roofs(question, out);
        return;
    }
    if (question->count == 0) {
        csv_runs(question, out);
        return;
    }
    dtype_columns dtypes = find_dtypes(question);
    csv_head(&dtypes, out);
    for (size_t i = 0; i < question->count; i++)
        csv_row_of(&question->placed[question->order[i]], &dtypes, out);
}

void profile_compare_csv(const void *context, text_out *out) {
    const profile_question *question = context;
    text_add(out,
             "name,before_calls,before_seconds,before_bound,before_roof_share,after_calls,after_seconds,after_bound,"
             "after_roof_share,speedup,words\n");
    for (size_t i = 0; i < question->moved_count; i++) {
        const roof_moved *moved = &question->moved[i];
        const roof_placement *sides[] = {moved->before, moved->after};
        csv_text(out, (moved->after ? moved->after : moved->before)->measured->name);
        for (int k = 0; k < 2; k++) {
            csv_known(out, sides[k] ? sides[k]->measured->calls : 0);
            csv_known(out, sides[k] ? sides[k]->seconds : 0);
            csv_text(out, sides[k] && sides[k]->bound != ROOF_BOUND_NONE ? roof_bound_name(sides[k]->bound) : "");
            csv_known(out, sides[k] ? profile_fraction(sides[k]) : 0);
        }
        csv_known(out, moved->speedup);
        csv_text(out, moved->words);
        csv_end(out);
    }
}

/* ---- charts ---- */

/* Of a comparison what came after is drawn. */
int profile_chart(const void *context, roof_drawing *out, roof_error *error) {
    const profile_question *question = context;
    const profile_file *last = &question->files[question->file_count - 1];
    size_t first = question->settings->profile.compare ? last->first : 0, count = question->count - first;
    const char *name =
        question->file_count == 1 || question->settings->profile.compare ? profile_base(last->path) : NULL;
    if (!question->machine || question->count == 0) {
        roof_fail(error, ROOF_EUNSUPPORTED, "a chart shows kernels, and %s",
                  question->machine ? "the file holds runs of a model" : "the file holds roofs only");
        if (!question->machine)
            roof_hint(error, "write the roofs as a machine file: -o machine.json");
        return -1;
    }
    return roof_chart_of_profile(question->machine, name, question->placed + first, count,
                                 question->settings->profile.levels == LEVELS_ALL, out, error);
}
