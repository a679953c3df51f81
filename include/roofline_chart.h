/* roofline_chart.h - page 10 of roofline.h: charts. Judged points and roofs become a picture.
 *
 * Two steps, so that either can be replaced: a builder (roof_chart_of_points,
 * roof_chart_of_operations, and those of roofline_profile.h and roofline_measure.h) writes title,
 * labels and notes from judged points into a roof_drawing; a writer (roof_chart_svg, _text, _html,
 * _raster) draws a roof_chart through your callback. The layout promises that no two labels
 * overlap. Same input, same bytes. Nothing here reads a file or keeps state. */
#ifndef ROOFLINE_CHART_H
#define ROOFLINE_CHART_H

#include "roofline.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef struct roof_chart_point {
    const char *label, *detail;   /* "batch 256"; "15.3k tok/s, 17 ms" */
    double intensity, attainable; /* FLOP/B, FLOP/s */
    double share;                 /* of the time, 0..1: the marker's area */
    roof_bound bound;             /* colour */
    int shape;                    /* 0 circle (decode, operation), 1 diamond (prefill) */
    bool measured;                /* ring, with a headroom arrow */
    /* FLOP/s of the roof it stands under, where the arrow ends; 0: the bold roof */
    double reach;
} roof_chart_point;

typedef struct roof_chart_change { /* a what-if: arrow from a point to a hollow ghost */
    size_t from;
    const char *label; /* "FP8 KV cache: 1.53x decode" */
    double intensity, attainable;
} roof_chart_change;

/* a compute roof below the bold one that is no roof of the machine */
typedef struct roof_chart_ceiling {
    const char *name; /* "no FMA" */
    double value;     /* FLOP/s */
} roof_chart_ceiling;

typedef struct roof_chart {
    /* title states the finding; the rest may be NULL */
    const char *title, *subtitle, *note_title, *note, *foot, *peaks;
    /* why points sit under the compute roof, at most two lines; may be NULL */
    const char *under;
    const roof_machine *machine;
    roof_unit unit;
    roof_dtype dtype; /* the bold roof */
    roof_dtype others[3];
    size_t other_count; /* dashed roofs, matrix unit */
    /* dashed roofs, caches; those of unknown bandwidth are left out */
    roof_level levels[3];
    size_t level_count;
    /* dashed roofs too; at most three with `others` */
    const roof_chart_ceiling *ceilings;
    size_t ceiling_count;
    const roof_chart_point *points;
    size_t point_count;
    const roof_chart_change *changes;
    size_t change_count; /* at most 3 */
} roof_chart;

enum { ROOF_CHART_POINT_MAX = 64, ROOF_CHART_CHANGE_MAX = 3 };

/* Draw at `width` pixels (400..4000; the layout is made for that width, not scaled). -1 with
 * ROOF_EARGUMENT when a point lies above the roof. Same input, same bytes. */
int roof_chart_svg(const roof_chart *chart, double width, roof_write write, void *context,
                   roof_error *error);
/* Unicode drawing of `columns` x `rows` cells; `ascii` for dumb terminals. */
int roof_chart_text(const roof_chart *chart, int columns, int rows, bool ascii, bool colour,
                    roof_write write, void *context, roof_error *error);
/* The SVG turned into PNG or PDF by librsvg and cairo, found at run time; ROOF_EUNSUPPORTED with a
 * hint when absent. */
int roof_chart_raster(const char *svg, size_t length, const char *format, double scale,
                      roof_write write, void *context, roof_error *error);

/* of an HTML page: a row of names, then rows of values, as in our own CSV */
typedef struct roof_page_table {
    const char *title, *csv;
    size_t length;
    /* of columns: "seconds=s bytes=B"; "bytes" is link_bytes, too. "unit" as unit: that of the
     * row */
    const char *units;
    bool closed; /* shown when asked for */
} roof_page_table;

typedef struct roof_page_advice {
    const char *about;
    const roof_advice *items;
    size_t count;
} roof_page_advice;

/* what an HTML page holds beside its chart; zero or NULL: left out */
typedef struct roof_page {
    const roof_page_advice *advice;
    size_t advice_count;
    const roof_page_table *tables;
    size_t table_count;
    const char *const *notes;
    size_t note_count;
    const char *title; /* NULL: the chart's */
    /* the answer in words, its lines as they are; what made the page */
    const char *text, *command;
} roof_page;

/* One HTML page that needs nothing else: the chart (or NULL) with points that take pointer and
 * keyboard, tables of them and of `page` (or NULL), the advice. Nothing is fetched; without its
 * script it reads the same. */
int roof_chart_html(const roof_chart *chart, const roof_page *page, roof_write write, void *context,
                    roof_error *error);

/* A chart with its words: title, subtitle, notes and labels written from judged points. The chart
 * points into the struct, so keep it while the chart is used and do not copy it. */
typedef struct roof_drawing {
    roof_chart chart;
    /* a copy; its dense peak is the sparse or f16-accumulate one where the work runs under that */
    roof_machine machine;
    roof_chart_point points[ROOF_CHART_POINT_MAX];
    roof_chart_change changes[ROOF_CHART_CHANGE_MAX];
    char title[240], subtitle[320], note_title[160], note[320], under[240], foot[240], peaks[160];
    roof_chart_ceiling ceilings[3];
    char ceiling_names[3][48];
    char labels[ROOF_CHART_POINT_MAX][96], details[ROOF_CHART_POINT_MAX][64],
        change_labels[ROOF_CHART_CHANGE_MAX][96];
} roof_drawing;

/* a what-if of a model, judged again so that it has a place on the chart */
typedef struct roof_chart_idea {
    const char *idea; /* "fp8 KV cache" */
    size_t from;      /* index of the point of the same phase it starts from */
    /* that point with the change: roof_model_point() on the changed plan or machine */
    roof_point after;
} roof_chart_idea;

typedef struct roof_chart_request {
    const roof_machine *machine;
    const char *model;     /* "Llama-3.1-8B" */
    const roof_plan *plan; /* complete; its batch is not used: the points have theirs */
    roof_dtype dtype;      /* most matrix FLOPs run in it; NONE: as the plan says */
    const roof_point *prefill,
        *decode; /* one per batch, rising; a phase not asked for has count 0 */
    size_t prefill_count, decode_count;
    const roof_chart_idea *ideas; /* any number; the best that helps is drawn for each phase */
    size_t idea_count;
} roof_chart_request;

int roof_chart_of_points(const roof_chart_request *request, roof_drawing *out, roof_error *error);
/* One operation, or a sweep of one kind. `changes` as in roof_chart, `from` an index into
 * `operations`. */
int roof_chart_of_operations(const roof_machine *machine, const roof_operation *operations,
                             const roof_verdict *verdicts, size_t count,
                             const roof_chart_change *changes, size_t change_count,
                             roof_drawing *out, roof_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
