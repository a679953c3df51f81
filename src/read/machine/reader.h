/* What the files of the machine reader share: where we are in the text, typed values, and how errors name their place.
 */
#ifndef ROOFLINE_READ_MACHINE_READER_H
#define ROOFLINE_READ_MACHINE_READER_H

#include "roofline_expected.h"
#include "roofline_measure.h"
#include "roofline_read.h"
#include "json/tree.h"
#include "json/write.h"

#define MACHINE_SCHEMA "roofline/1"
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { WARNING_MAX = 4, WARNING_SIZE = 128, PLACE_SIZE = 96, PLACE_DEPTH = 2 };

/* A measurement as it was read: its lists lie beside it. */
typedef struct measured {
    roof_measurement measurement;
    roof_sample *samples;
    float *windows; /* of all samples, one after another */
    size_t window_count;
    roof_sustained all, one; /* what the samples say of all cores, and of one */
} measured;

struct roof_machine_file {
    roof_machine machine;
    measured *measured; /* NULL: the file holds none */
    roof_calibration *calibrations;
    json_node *root; /* owns every string */
    char warnings[WARNING_MAX][WARNING_SIZE];
    size_t warning_count;
};

typedef struct machine_reader {
    roof_machine *machine;
    roof_machine *one;              /* takes the roofs of one core; NULL: the file was not measured */
    roof_machine cores;             /* value: cores a roof was given for; origin: whether it was given */
    double threads;                 /* the machine was measured with; 0: not measured, or not known */
    const json_node *root;          /* for the places of errors */
    measured *measured;             /* being filled; NULL: the file holds no measurement */
    roof_calibration *calibrations; /* being filled */
    const char *path[PLACE_DEPTH];  /* members of the root we stand in: "machine", or "measurement" and "one" */
    size_t depth;
    const char *list; /* "roofs", "sizes" ... or NULL */
    size_t index;     /* in that list */
    roof_error *error;
} machine_reader;

/* A member of roof_machine. */
typedef struct machine_member {
    const char *key;
    size_t at;
    bool may_be_zero; /* of figures: no overhead, no price */
} machine_member;

enum { MACHINE_TEXTS = 8, MACHINE_FIGURES = 9 };
extern const machine_member machine_texts[MACHINE_TEXTS], machine_figures[MACHINE_FIGURES];
roof_figure *machine_figure_at(roof_machine *machine, size_t at);

/* ---- writing ---- */

/* Roofs in the list that is open. `cores`: measured with so many; 0: not said. */
void machine_write_roofs(emit *json, const roof_machine *machine, double cores);
void machine_write_texts(emit *json, const roof_machine *machine);   /* and the year */
void machine_write_figures(emit *json, const roof_machine *machine); /* sizes, and what is no list */

void calibrations_write(emit *json, const roof_machine *machine); /* nothing when there is none */

/* ---- reading: -1 after filling the error ---- */

/* `object` and `key` say where: "units.value"; either may be NULL. In a list the item stands for the object. */
const char *machine_spell(const machine_reader *in, const char *object, const char *key, char buffer[PLACE_SIZE]);
int machine_at(const machine_reader *in, const char *key); /* put the place into the error that was just filled */
int machine_wrong_type(const machine_reader *in, const char *object, const char *key, const json_node *value,
                       const char *wanted);
int machine_check_keys(const machine_reader *in, const char *object, const json_node *node, const char *const *known,
                       size_t count);
/* A text that can be printed; NULL in `out` where there is none. */
int machine_text(const machine_reader *in, const char *object, const char *key, const json_node *value,
                 const char **out);
/* A text that must be one of `names`: its index. */
int machine_choose(const machine_reader *in, const char *object, const char *key, const json_node *value,
                   const char *(*name_of)(int), int count);
int machine_value(const machine_reader *in, const char *object, const json_node *node, const char *key,
                  bool may_be_zero, double *out);
int machine_figure(const machine_reader *in, const char *object, const json_node *node, bool may_be_zero,
                   roof_figure *out);
int machine_find_dtype(const machine_reader *in, const json_node *value, roof_dtype *out);
const char *machine_unit_name(int i);
const char *machine_level_name(int i);
int machine_read_list(machine_reader *in, const json_node *node, const char *key,
                      int (*read_item)(machine_reader *, const json_node *));

/* Texts, sizes and single figures into in->machine; roofs too when `roofs`. */
int machine_read_members(machine_reader *in, const json_node *node, bool roofs);

/* The member "calibrations" of the machine `node`: `made` is the caller's to free, and the machine points to it. */
int calibrations_read(machine_reader *in, const json_node *node, roof_calibration **made);

/* The member "measurement" of `root`. First its threads, so that the roofs know which are the whole machine's; after
 * the machine was read, the rest. */
int measured_begin(machine_reader *in, const json_node *node, measured **out);
int measured_read(machine_reader *in, const json_node *node, roof_machine *machine, measured *out);
void measured_free(measured *made);

#endif
