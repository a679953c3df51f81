/* What is stored is what is read: for every named decoder, fused and eager, on one device and two, the weight bytes of
 * a decode step are the stored bytes but for the rows it only looks up (embedding, positions, token types) and the keys
 * and values of an encoder's output, which the prefill made. Parameters and step are written apart: this holds them
 * together to the byte. All experts are read (experts_touched), and the context is long enough for every indexer. */
#include "read/config/configs.h"
#include "work/model.h"

enum { OPERATIONS_MAX = 4096, CONTEXT = 1 << 20 };

static double read_bytes(const roof_model *model, const roof_plan *plan) {
    static roof_operation operations[OPERATIONS_MAX];
    size_t count = roof_model_operations(model, plan, ROOF_PHASE_DECODE, operations, OPERATIONS_MAX);
    double bytes = 0;
    assert_in_range(count, 1, OPERATIONS_MAX);
    for (size_t i = 0; i < count; i++)
        bytes += operations[i].weight_bytes * operations[i].count;
    return bytes;
}

/* Rows that are looked up and not multiplied; a tied table is read whole by the head. */
static double looked_up(const roof_model *model, const roof_plan *plan) {
    roof_format own;
    const roof_format *table = model_embedding(model, plan, &own);
    double rows = share(model->vocab, plan->tensor), second = model->positions + model->token_types;
    double bytes = roof_format_bytes(table, second, model->hidden);
    return bytes + (model->tied ? 0 : roof_format_bytes(table, rows, embedding_width(model))) +
           roof_format_bytes(table, share(model->vocab + model->extra_rows, plan->tensor) - rows,
                             embedding_width(model));
}

/* Keys and values of an encoder's output. */
static double made_before(const roof_model *model, const roof_plan *plan) {
    double bytes = 0, stored = roof_dtype_bytes(model_stored(model, plan));
    for (size_t i = 0; i < model->layer_count; i++) {
        const roof_layer *layer = &model->layers[i];
        const roof_attention_block *a = &layer->cross;
        if (a->kind == ROOF_ATTENTION_NONE)
            continue;
        linear how;
        attention_widths w = widths_of(a, plan->tensor);
        model_linear(model, plan, layer, ROOF_ROLE_QKV, &how);
        double matrices =
            roof_format_bytes(how.format, w.kv_out, model->encoder ? model->encoder->hidden : model->hidden);
        double biases = a->qkv_bias ? w.kv_out - (a->no_k_bias ? w.kv_heads * w.qk : 0) : 0;
        bytes += layer->count * (matrices + (biases + a->k_norm) * stored);
    }
    return bytes;
}

static double experts_of(const roof_model *model) {
    double most = 0;
    for (size_t i = 0; i < model->layer_count; i++)
        most = fmax(most, model->layers[i].mlp.experts);
    return most;
}

static int disagreements(const char *id, const roof_model *model) {
    int wrong = 0;
    for (int bits = 0; bits < 4; bits++) {
        roof_plan plan = {.prompt = CONTEXT, .context = CONTEXT, .eager = bits & 1, .tensor = 1 + (bits >> 1)};
        weights stored;
        roof_plan_complete(model, &plan);
        plan.experts_touched = experts_of(model);
        model_weights(model, &plan, plan.tensor, &stored);
        double want = stored.bytes - looked_up(model, &plan) - made_before(model, &plan);
        double got = read_bytes(model, &plan);
        if (fabs(got - want) > 0.5) {
            print_error("%s, %s, %g devices: %.0f B read, %.0f B stored: %+.0f\n", id, plan.eager ? "eager" : "fused",
                        plan.tensor, got, want, got - want);
            wrong++;
        }
    }
    return wrong;
}

static void a_step_reads_what_is_stored(void **state) {
    (void)state;
    int wrong = 0, decoders = 0;
    for (size_t i = 0; i < roof_named_model_count(); i++) {
        const roof_named_model *named = roof_named_model_at(i);
        roof_model_file *file = read_text(named->config);
        const roof_model *model = roof_model_file_model(file);
        if (roof_model_has_phase(model, ROOF_PHASE_DECODE)) {
            decoders++;
            wrong += disagreements(named->id, model);
        }
        roof_model_file_free(file);
    }
    assert_true(decoders >= 100);
    /* Llama 3.2 11B Vision's text model: an embedding table with more rows than the head. */
    roof_model_file *mllama =
        read_text("{\"model_type\": \"mllama_text_model\", \"num_hidden_layers\": 40, \"hidden_size\": 4096, "
                  "\"num_attention_heads\": 32, \"num_key_value_heads\": 8, \"intermediate_size\": 14336, "
                  "\"vocab_size\": 128256, \"cross_attention_layers\": [3, 8, 13, 18, 23, 28, 33, 38], "
                  "\"tie_word_embeddings\": false, \"torch_dtype\": \"bfloat16\"}");
    wrong += disagreements("mllama", roof_model_file_model(mllama));
    roof_model_file_free(mllama);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_step_reads_what_is_stored)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
