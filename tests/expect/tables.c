/* Numbers of the expected time: docs/expected.md prints the tables of the code, and every row has a source. */
#include <math.h>
#include <stdbool.h>

#include "document.h"
#include "expect/defaults.h"

static const char *const families[] = {
    [FAMILY_ANY] = "",      [FAMILY_OTHER] = "other vendors", [FAMILY_NVIDIA] = "NVIDIA",
    [FAMILY_CDNA] = "CDNA", [FAMILY_RDNA] = "RDNA",           [FAMILY_APPLE] = "Apple",
};

/* Seconds, joules and bytes with a prefix that leaves one to three digits. */
static void print_value(double value, const char *unit, FILE *out) {
    static const struct {
        double factor;
        const char *prefix;
    } scales[] = {{1e9, "G"}, {1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}, {1e-12, "p"}};
    size_t i = 1;
    if (strcmp(unit, "B") == 0 && value >= 1e9)
        i = 0;
    bool small = strcmp(unit, "s") == 0 || strcmp(unit, "J") == 0;
    while (small && value > 0 && value < 0.99 * scales[i].factor && i + 1 < sizeof scales / sizeof *scales)
        i++;
    if (strcmp(unit, "s") == 0 && value > 0 && value < 1e-6 && value >= 1e-8)
        i = 3;
    fprintf(out, "%.4g%s%s%s", value / scales[i].factor, unit[0] ? " " : "", scales[i].prefix, unit);
}

static void print_row(const expect_default *row, FILE *out) {
    const char *engine = row->engine == ENGINE_ANY ? "" : roof_engine_name((roof_engine)row->engine);
    const char *family = families[row->family], *memory = row->memory ? row->memory : "";
    fprintf(out, "| `%s` | %s%s%s%s%s | ", roof_constant_name(row->constant), engine,
            engine[0] && family[0] ? ", " : "", family, (engine[0] || family[0]) && memory[0] ? ", " : "", memory);
    print_value(row->value, roof_constant_unit(row->constant), out);
    fprintf(out, " | %s |\n", row->source);
}

static bool is_local(int engine) {
    return engine == ROOF_ENGINE_LLAMA_CPP || engine == ROOF_ENGINE_MLX;
}

typedef bool (*choice)(const expect_default *row);

static bool is_alone(const expect_default *row) {
    return row->engine == ROOF_ENGINE_ALONE;
}

static bool is_of_engine(const expect_default *row) {
    return !is_alone(row) && !is_local(row->engine);
}

static bool is_of_local(const expect_default *row) {
    return is_local(row->engine);
}

static void print_rows(choice chosen, FILE *out) {
    fputs("| constant | where | default | from |\n|-|-|-|-|\n", out);
    for (size_t i = 0; i < expect_default_count; i++)
        if (chosen(&expect_defaults[i]))
            print_row(&expect_defaults[i], out);
}

static void print_alone(FILE *out) {
    print_rows(is_alone, out);
}

static void print_engine(FILE *out) {
    print_rows(is_of_engine, out);
}

static void print_local(FILE *out) {
    print_rows(is_of_local, out);
}

static void print_links(FILE *out) {
    static const char *const codes[] = {
        [LINK_LIBRARY] = "the vendor's library: alone, fastertransformer, llama.cpp, mlx, unknown",
        [LINK_CAPTURED] = "an engine's own, captured in a graph: graph, serving, cpp",
        [LINK_LAUNCHED] = "an engine's own, launched by the host: eager",
    };
    fputs("| whose kernel | where | link (eta) | link-latency (a) | link-peer (p) | link-two-shot (t) | from |\n"
          "|-|-|-|-|-|-|-|\n",
          out);
    for (int over_links = 1; over_links >= 0; over_links--)
        for (int code = 0; code < LINK_CODES; code++) {
            const link_constants *of = &expect_links[over_links][code];
            const double seconds[] = {of->latency, of->peer, of->two_shot};
            fprintf(out, "| %s | %s | %.2f", codes[code], over_links ? "links" : "bus", of->share);
            for (int i = 0; i < 3; i++) {
                fputs(" | ", out);
                if (seconds[i] > 0)
                    print_value(seconds[i], "s", out);
            }
            fprintf(out, " | %s |\n", of->source);
        }
}

static void print_intervals(FILE *out) {
    fputs("| regime | low | high | measured in |\n|-|-|-|-|\n", out);
    for (int i = 0; i < ROOF_REGIME_COUNT; i++)
        fprintf(out, "| %s | %.2f | %.2f | %s |\n", roof_regime_name((roof_regime)i), expect_intervals[i].low,
                expect_intervals[i].high, expect_intervals[i].source);
}

static void print_range(int first, int end, FILE *out) {
    fputs("| value | of what | from |\n|-|-|-|\n", out);
    for (int i = first; i < end; i++) {
        fputs("| ", out);
        print_value(expect_numbers[i].value, expect_numbers[i].unit, out);
        fprintf(out, " | %s | %s |\n", expect_numbers[i].what, expect_numbers[i].source);
    }
}

static void print_numbers(FILE *out) {
    print_range(0, FIT_FIRST_STEP, out);
}

static void print_fit(FILE *out) {
    print_range(FIT_FIRST_STEP, EXPECT_NUMBER_COUNT, out);
}

static bool is_said(const char *text) {
    return text && text[0];
}

/* A row of the enumeration without one of the table would be a 0 that nobody sees. */
static int check_sources(void) {
    int failed = 0;
    for (int i = 0; i < EXPECT_NUMBER_COUNT; i++)
        if (!(expect_numbers[i].value > 0) || !is_said(expect_numbers[i].what) || !is_said(expect_numbers[i].source))
            failed += fprintf(stderr, "number %d has no value, no words or no source\n", i) > 0;
    for (size_t i = 0; i < expect_default_count; i++)
        if (!is_said(expect_defaults[i].source))
            failed += fprintf(stderr, "default %zu has no source\n", i) > 0;
    for (int i = 0; i < ROOF_REGIME_COUNT; i++)
        if (!(expect_intervals[i].low < 1 && expect_intervals[i].high > 1) || !is_said(expect_intervals[i].source))
            failed += fprintf(stderr, "regime %d has no interval around 1, or no source\n", i) > 0;
    return failed;
}

/* Two rows of one case would make the order of the table decide. */
static int check_once(void) {
    int failed = 0;
    for (size_t i = 0; i < expect_default_count; i++)
        for (size_t k = 0; k < i; k++) {
            const expect_default *a = &expect_defaults[i], *b = &expect_defaults[k];
            bool memory = a->memory && b->memory ? strcmp(a->memory, b->memory) == 0 : a->memory == b->memory;
            if (a->constant == b->constant && a->engine == b->engine && a->family == b->family && memory)
                failed += fprintf(stderr, "defaults %zu and %zu are of one case\n", k, i) > 0;
        }
    return failed;
}

/* Every constant that has no formula or table of its own finds a row in every engine. */
static int check_complete(void) {
    int failed = 0;
    for (int c = 0; c < ROOF_CONSTANT_COUNT; c++)
        for (int engine = 0; engine < ROOF_ENGINE_COUNT; engine++) {
            bool elsewhere = c == ROOF_CONSTANT_MATRIX_32 || c == ROOF_CONSTANT_MATRIX_4 || c == ROOF_CONSTANT_VECTOR ||
                             (c >= ROOF_CONSTANT_LINK && c <= ROOF_CONSTANT_LINK_TWO_SHOT);
            if (!elsewhere && !expect_default_of((roof_constant)c, engine, FAMILY_OTHER, NULL))
                failed += fprintf(stderr, "'%s' has no default in %s\n", roof_constant_name((roof_constant)c),
                                  roof_engine_name((roof_engine)engine)) > 0;
        }
    return failed;
}

int main(int count, char **arguments) {
    static const document_table tables[] = {
        {"constants of kernels alone", print_alone},
        {"constants in an engine", print_engine},
        {"constants of llama.cpp and MLX", print_local},
        {"constants of collectives", print_links},
        {"intervals", print_intervals},
        {"numbers of the terms", print_numbers},
        {"numbers of the fit", print_fit},
    };
    bool update = count > 1 && strcmp(arguments[1], "--update") == 0;
    int failed = check_sources() + check_once() + check_complete();
    return failed || document_check(DOCUMENT, tables, sizeof tables / sizeof *tables, update) ? 1 : 0;
}
