/* The list of models, and one model shown, in words. */
#include <stdio.h>
#include <string.h>

#include "cli/models/models.h"
#include "cli/out/table.h"
#include "roofline_read.h"

enum { LINE = 400 };

/* ---- one kind of layer ---- */

static void add_number(text_out *out, const char *before, double value, const char *after) {
    char number[NUMBER_SIZE];
    if (value > 0)
        text_add(out, "%s%s%s", before, number_whole(value, number), after);
}

static void add_word(text_out *out, bool there, const char *word) {
    if (there)
        text_add(out, "%s", word);
}

static void latent_words(const roof_attention_block *a, text_out *out) {
    add_number(out, "latent attention ", a->heads, " heads");
    add_number(out, ", q rank ", a->q_rank, "");
    add_number(out, ", KV rank ", a->kv_rank, "");
    add_number(out, " + ", a->rope_width, "");
}

static void plain_words(const roof_attention_block *a, text_out *out) {
    if (a->kind != ROOF_ATTENTION_FULL)
        text_add(out, "%s ", attention_kind_name(a->kind));
    add_number(out, "attention ", a->heads, " heads");
    add_number(out, " of ", a->head_width, "");
    if (a->kv_heads != a->heads && a->kind != ROOF_ATTENTION_COMPRESSED)
        add_number(out, ", ", a->kv_heads, a->kv_heads == 1 ? " KV head" : " KV heads");
    if (a->kind == ROOF_ATTENTION_COMPRESSED)
        add_number(out, ", q rank ", a->q_rank, "");
    add_number(out, a->kind == ROOF_ATTENTION_CHUNKED ? ", chunk " : ", window ", a->window, "");
    add_number(out, ", a summary of ", a->compress, " tokens");
}

static void attention_words(const roof_attention_block *a, text_out *out) {
    (a->kind == ROOF_ATTENTION_LATENT ? latent_words : plain_words)(a, out);
    add_number(out, ", the best ", a->index_topk, " keys");
    add_number(out, " by ", a->index_heads, " index heads");
    add_word(out, a->qkv_bias || a->output_bias, ", biases");
    add_word(out, a->q_norm > 0 && a->kind != ROOF_ATTENTION_LATENT, ", QK norms");
    add_word(out, a->sinks, ", sinks");
    add_word(out, a->output_gate || a->head_gate, ", gated");
    add_word(out, a->shared_kv, ", keys and values of an earlier layer");
    add_word(out, a->tied_kv, ", values are keys");
}

static void state_words(const roof_state_block *s, text_out *out) {
    text_add(out, "%s", state_kind_name(s->kind));
    add_number(out, " ", s->heads, s->kind == ROOF_STATE_SHORT_CONV ? " channels" : " heads");
    if (s->key_width > 0 && s->value_width > 0) {
        add_number(out, " of ", s->key_width, "");
        add_number(out, " x ", s->value_width, "");
    }
    if (s->key_heads != s->heads)
        add_number(out, ", ", s->key_heads, s->kind == ROOF_STATE_MAMBA2 ? " groups" : " key heads");
    add_number(out, ", ", s->conv, " taps");
}

static void mlp_words(const roof_mlp_block *m, text_out *out) {
    if (m->kind == ROOF_MLP_MOE) {
        add_number(out, "", m->experts, m->gated ? " gated experts" : " experts");
        add_number(out, " of ", m->width, "");
        add_number(out, ", ", m->top_k, " a token");
        add_number(out, ", shared ", m->shared_width, "");
        add_number(out, ", dense ", m->dense_width, "");
        add_number(out, ", latent ", m->latent_width, "");
    } else {
        text_add(out, m->kind == ROOF_MLP_CHANNEL_MIX ? "channel mix" : m->gated ? "gated MLP" : "MLP");
        add_number(out, " ", m->width, "");
    }
    add_word(out, m->bias, ", biases");
}

static void layer_words(const roof_layer *layer, text_out *out) {
    bool attention = layer->attention.kind != ROOF_ATTENTION_NONE, state = layer->state.kind != ROOF_STATE_NONE,
         mlp = layer->mlp.kind != ROOF_MLP_NONE;
    if (attention)
        attention_words(&layer->attention, out);
    add_word(out, attention && state, " beside ");
    if (state)
        state_words(&layer->state, out);
    if (layer->cross.kind != ROOF_ATTENTION_NONE) {
        text_add(out, "; cross ");
        plain_words(&layer->cross, out);
    }
    add_word(out, (attention || state) && mlp, layer->parallel ? "; beside it " : "; ");
    if (mlp)
        mlp_words(&layer->mlp, out);
}

/* "1-3", "4-61", "1, 3 ... 25": all runs, or the first two and the last. */
static void runs_words(const roof_model *model, size_t kind, char *buffer, size_t size) {
    size_t first, last, count = 0, used = 0;
    while (layer_run(model, kind, count, &first, &last))
        count++;
    buffer[0] = '\0';
    for (size_t n = 0; n < count && used < size; n++) {
        if (count > 3 && n == 2)
            n = count - 1;
        layer_run(model, kind, n, &first, &last);
        const char *gap = n == 0 ? "" : count > 3 && n == count - 1 ? " ... " : ", ";
        if (first == last)
            used += (size_t)snprintf(buffer + used, size - used, "%s%zu", gap, first);
        else
            used += (size_t)snprintf(buffer + used, size - used, "%s%zu-%zu", gap, first, last);
    }
}

static void layers_table(const architecture *facts, text_out *out) {
    const roof_model *model = facts->model;
    char runs[64], number[NUMBER_SIZE];
    int widest = 6;
    for (size_t kind = 0; kind < model->layer_count; kind++) {
        runs_words(model, kind, runs, sizeof runs);
        widest = (int)strlen(runs) > widest ? (int)strlen(runs) : widest;
    }
    text_remark(out, "%-*s  %5s  %15s  one holds", widest, "layers", "count", "parameters each");
    for (size_t kind = 0; kind < model->layer_count; kind++) {
        text_out words = {0};
        runs_words(model, kind, runs, sizeof runs);
        text_add(out, "  %-*s  ", widest, runs);
        text_add(out, "%5s  ", number_whole(model->layers[kind].count, number));
        text_add(out, "%15s  ", number_whole(facts->layers[kind].parameters, number));
        layer_words(&model->layers[kind], &words);
        text_wrap(out, widest + 28, widest + 28, words.length ? words.bytes : "nothing");
        text_free(&words);
    }
}

/* ---- parts and formats ---- */

static void part_row(const char *part, double count, double total, table_grid *table) {
    char number[NUMBER_SIZE];
    if (!(count > 0))
        return;
    table_row(table);
    table_text(table, part);
    table_text(table, number_whole(count, number));
    table_cell_add(table, PAINT_NONE, "%s%%", number_fixed(100 * count / total, 1, number));
}

static void parts_table(const architecture *facts, text_out *out) {
    const roof_parameters *p = &facts->parameters;
    table_grid table = {0};
    table_heads(&table, "l:part", ":parameters", ":share");
    part_row("embedding", p->embedding, p->total, &table);
    part_row("attention", p->attention, p->total, &table);
    part_row("state", p->state, p->total, &table);
    part_row("MLP", p->mlp - facts->experts, p->total, &table);
    part_row("experts", facts->experts, p->total, &table);
    part_row("norms", p->norms, p->total, &table);
    part_row("head", p->head, p->total, &table);
    part_row("encoder", p->encoder, p->total, &table);
    part_row("total", p->total, p->total, &table);
    if (p->active != p->total)
        part_row("active", p->active, p->total, &table);
    table_print(&table, out);
    table_free(&table);
}

static void formats_table(const architecture *facts, text_out *out) {
    table_grid table = {0};
    char number[NUMBER_SIZE];
    table_heads(&table, "l:format", ":weights", ":bytes", ":bits each");
    for (size_t i = 0; i < facts->format_count; i++) {
        const format_facts *format = &facts->formats[i];
        table_row(&table);
        table_text(&table, format->name);
        table_text(&table, number_whole(format->parameters, number));
        table_text(&table, format->unknown ? "unknown" : number_whole(format->bytes, number));
        table_text(&table, format->unknown ? "-" : number_fixed(8 * format->bytes / format->parameters, 2, number));
    }
    if (facts->format_count > 1) {
        const roof_parameters *p = &facts->parameters;
        table_row(&table);
        table_text(&table, "total");
        table_text(&table, number_whole(p->total, number));
        table_cell_add(&table, PAINT_NONE, "%s%s", p->bytes_unknown ? ">= " : "", number_whole(p->bytes, number));
        table_text(&table, p->bytes_unknown ? "-" : number_fixed(8 * p->bytes / p->total, 2, number));
    }
    table_print(&table, out);
    table_free(&table);
}

/* ---- the rest ---- */

static void line(const char *what, const char *text, text_out *out) {
    text_add(out, "  %-12s ", what);
    text_wrap(out, 15, 15, text);
}

static void cache_lines(const architecture *facts, text_out *out) {
    const roof_model *model = facts->model;
    char number[NUMBER_SIZE], words[LINE];
    if (facts->kv_bytes > 0) {
        snprintf(words, sizeof words, "%s per token and sequence in %s", number_si(facts->kv_bytes, "B", number),
                 roof_dtype_name(facts->plan.kv_cache));
        line("KV cache", words, out);
    } else {
        line("KV cache", model->bidirectional ? "none: it has no decode" : "none", out);
    }
    if (facts->state_bytes > 0) {
        snprintf(words, sizeof words, "%s per sequence, however long it is",
                 number_si(facts->state_bytes, "B", number));
        line("state", words, out);
    }
    if (model->context_max > 0) {
        snprintf(words, sizeof words, "%s tokens at most", number_whole(model->context_max, number));
        line("context", words, out);
    }
}

static void beside_lines(const architecture *facts, text_out *out) {
    const roof_model *model = facts->model;
    char number[NUMBER_SIZE], words[LINE];
    if (model->prediction_parameters > 0) {
        snprintf(words, sizeof words, "%s parameters in blocks that predict further tokens: not in the total",
                 number_whole(model->prediction_parameters, number));
        line("beside it", words, out);
    }
    if (facts->parameters.vision > 0) {
        snprintf(words, sizeof words, "%s parameters in the vision tower: not in the total",
                 number_whole(facts->parameters.vision, number));
        line("beside it", words, out);
    }
    if (model->not_counted)
        line("not counted", model->not_counted, out);
}

static void phases_line(const roof_model *model, text_out *out) {
    static const roof_phase order[] = {ROOF_PHASE_VISION, ROOF_PHASE_ENCODE, ROOF_PHASE_PREFILL, ROOF_PHASE_DECODE};
    text_out words = {0};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (roof_model_has_phase(model, order[i]))
            text_add(&words, "%s%s", words.length ? ", " : "", roof_phase_name(order[i]));
    line("phases", words.bytes, out);
    text_free(&words);
}

static void tower(const char *what, const roof_model *model, const roof_plan *plan, text_out *out) {
    architecture facts;
    char number[NUMBER_SIZE];
    if (!model)
        return;
    architecture_of(model, plan, &facts);
    text_add(out, "\n  ");
    text_paint(out, PAINT_BOLD, "%s", what);
    text_add(out, ": %s parameters\n", number_whole(facts.parameters.total, number));
    layers_table(&facts, out);
    architecture_free(&facts);
}

static void reader_lines(const model_view *view, text_out *out) {
    for (size_t i = 0; i < roof_model_file_warnings(view->source->file); i++)
        text_note(out, PAINT_YELLOW, roof_model_file_warning(view->source->file, i));
}

static void explain(const model_view *view, text_out *out) {
    size_t notes = roof_model_file_notes(view->source->file);
    if (!view->settings->explain)
        return;
    text_paint(out, PAINT_BOLD, "\n  what the file does not say, and what was taken\n");
    if (notes == 0)
        text_add(out, "  nothing: the file says it all\n");
    for (size_t i = 0; i < notes; i++)
        text_paragraph(out, 2, 4, roof_model_file_note(view->source->file, i));
    if (!view->source->named)
        return;
    text_add(out, "\n");
    text_wrap(out, 0, 1, view->source->named->config); /* blanks in it stand between JSON tokens only */
}

void model_view_text(const void *context, text_out *out) {
    const model_view *view = context;
    const architecture *facts = &view->facts;
    text_title(out, view->source->name, PAINT_BOLD, "%s",
               view->source->named    ? view->source->id
               : facts->model->family ? facts->model->family
                                      : "");
    reader_lines(view, out);
    text_add(out, "\n");
    layers_table(facts, out);
    tower("encoder", facts->model->encoder, &facts->plan, out);
    tower("vision tower", facts->model->vision, &facts->plan, out);
    text_add(out, "\n");
    parts_table(facts, out);
    text_add(out, "\n");
    formats_table(facts, out);
    text_add(out, "\n");
    weights_text(view, out);
    phases_line(facts->model, out);
    cache_lines(facts, out);
    beside_lines(facts, out);
    if (view->source->named) {
        line("source", view->source->named->source ? view->source->named->source : "-", out);
        if (view->source->named->aliases && view->source->named->aliases[0])
            line("also", view->source->named->aliases, out);
    }
    explain(view, out);
}

/* ---- all models ---- */

/* "8.03B" */
static const char *billions(double count, char buffer[NUMBER_SIZE]) {
    char digits[NUMBER_SIZE];
    bool large = count >= 0.9995e9;
    snprintf(buffer, NUMBER_SIZE, "%s%s", number_three(count / (large ? 1e9 : 1e6), digits), large ? "B" : "M");
    return buffer;
}

void models_text(const void *context, text_out *out) {
    const model_list *list = context;
    static const char parameters[] = "parameters";
    table_grid table = {0};
    char number[NUMBER_SIZE];
    text_title(out, "Models", PAINT_NONE, "%zu of %zu", list->count, roof_named_model_count());
    text_add(out, "\n");
    table_column_add(&table, NULL, "l", "name");
    table_column_add(&table, parameters, "w", "total");
    table_column_add(&table, parameters, "", "active");
    table_heads(&table, "w:layers", ":KV B/token", ":context");
    for (size_t i = 0; i < list->count; i++) {
        const listed_model *row = &list->rows[i];
        const roof_model *model = roof_model_file_model(row->file);
        table_row(&table);
        table_cell_add(&table, PAINT_BOLD, "%s", row->named->id);
        table_text(&table, billions(row->parameters.total, number));
        table_text(&table, billions(row->parameters.active, number));
        table_text(&table, number_whole(row->layers, number));
        table_text(&table, number_whole(row->kv_bytes, number));
        table_text(&table, model->context_max > 0 ? number_whole(model->context_max, number) : "-");
    }
    table_print(&table, out);
    table_free(&table);
    text_add(out, "\nAny config.json can be read too: roofline model FILE.\n");
}
