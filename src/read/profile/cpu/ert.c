/* ERT, the Empirical Roofline Toolkit: roofline.json, whose "empirical" gbytes and gflops are lists of [name, value].
 * The roofs of a machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "read/profile/roofs.h"
#include "json/tree.h"

enum { ERT_MOST = 8 << 20 };

/* A text, or the first text of a list. */
static const char *first_text(const json_node *node) {
    if (json_kind_of(node) == JSON_NODE_LIST)
        node = json_at(node, 0);
    return json_text(node);
}

static const json_node *member(const json_node *root, const char *a, const char *b, const char *c) {
    const json_node *node = json_get(json_get(root, a), b);
    return c ? json_get(node, c) : node;
}

/* One [name, value]; -1 with the error. */
static int pair(const json_node *node, const char *list, size_t index, const char **name, double *value,
                roof_error *error) {
    *name = json_text(json_at(node, 0));
    const json_node *number = json_at(node, 1);
    *value = json_number(number, -1);
    if (*name && json_kind_of(number) == JSON_NODE_NUMBER && *value > 0 && *value < 1e30)
        return 0;
    return roof_fail(error, ROOF_EFORMAT, "empirical.%s.data[%zu] is not a pair of a name and a number above zero",
                     list, index);
}

static int take_bandwidths(roofs *to, const json_node *data, roof_error *error) {
    for (size_t i = 0; i < json_size(data); i++) {
        const char *name;
        double value;
        if (pair(json_at(data, i), "gbytes", i, &name, &value, error))
            return -1;
        int level = roofs_level(name);
        if (level >= 0)
            roofs_bandwidth(to, (roof_level)level, value * 1e9, name);
        else if (strcasecmp(name, "STREAM HBM") == 0 || strcasecmp(name, "STREAM DRAM") == 0)
            roofs_bandwidth(to, ROOF_DRAM, value * 1e9, name);
        else
            roofs_note(to, "%.60s: %.6g GB/s, a level we do not know", name, value);
    }
    return 0;
}

/* The precision of a label, or of the whole run where its configuration names one. */
static roof_dtype precision_of(const char *label, const json_node *config) {
    roof_dtype dtype = roofs_dtype(label);
    const json_node *precisions = json_get(config, "ERT_PRECISION");
    if (dtype == ROOF_DTYPE_NONE && json_size(precisions) == 1 && first_text(precisions))
        dtype = roofs_dtype(first_text(precisions));
    return dtype;
}

static int take_peaks(roofs *to, const json_node *data, const json_node *config, roof_error *error) {
    for (size_t i = 0; i < json_size(data); i++) {
        const char *name;
        double value;
        if (pair(json_at(data, i), "gflops", i, &name, &value, error))
            return -1;
        roof_dtype dtype = precision_of(name, config);
        bool scalar = strstr(name, "Scalar") || strstr(name, "scalar");
        bool matrix = strstr(name, "Tensor") || strstr(name, "Matrix") || strstr(name, "MFMA");
        if (dtype == ROOF_DTYPE_NONE)
            roofs_note(to, "%.60s: %.6g GFLOP/s, precision not said", name, value);
        else if (scalar)
            roofs_note(to, "%.60s: %.6g GFLOP/s", name, value);
        else
            roofs_peak(to, matrix ? ROOF_MATRIX : ROOF_VECTOR, dtype, value * 1e9, name);
    }
    return 0;
}

static void note_specification(roofs *to, const json_node *spec) {
    static const char *const lists[] = {"gbytes", "gflops"};
    for (size_t k = 0; k < 2; k++) {
        const json_node *data = json_get(json_get(spec, lists[k]), "data");
        for (size_t i = 0; i < json_size(data); i++) {
            const char *name = json_text(json_at(json_at(data, i), 0));
            double value = json_number(json_at(json_at(data, i), 1), 0);
            if (name && value > 0)
                roofs_note(to, "specified %.40s: %.6g %s", name, value, k ? "GFLOP/s" : "GB/s");
        }
    }
}

static int take_file(profile_job *job, const json_node *root) {
    const json_node *bandwidths = member(root, "empirical", "gbytes", "data"),
                    *peaks = member(root, "empirical", "gflops", "data"),
                    *about = member(root, "empirical", "metadata", NULL), *config = json_get(about, "CONFIG");
    if (json_kind_of(bandwidths) != JSON_NODE_LIST && json_kind_of(peaks) != JSON_NODE_LIST)
        return roof_fail(job->error, ROOF_EFORMAT,
                         "neither 'empirical.gbytes.data' nor 'empirical.gflops.data' is a list");
    const char *version = json_text(json_get(about, "ERT_VERSION")), *host = first_text(json_get(about, "HOSTNAME"));
    char tool[60];
    roofs to;
    snprintf(tool, sizeof tool, "ERT%s%.30s", version ? " " : "", version ? version : "");
    roofs_begin(&to, job, "ert-", host ? host : "machine", tool);
    if (take_bandwidths(&to, bandwidths, job->error) || take_peaks(&to, peaks, config, job->error))
        return -1;
    note_specification(&to, json_get(root, "spec"));
    return roofs_end(&to, job->error);
}

static int read_ert(profile_job *job) {
    size_t length;
    char *text = roofs_text(job, ERT_MOST, &length);
    if (!text)
        return -1;
    json_node *root = json_read(text, length, job->error);
    int result = root ? take_file(job, root) : -1;
    json_free(root);
    free(text);
    return result;
}

static int is_ert(const char *head, size_t length) {
    (void)length;
    bool empirical = head[strspn(head, " \t\r\n")] == '{' && strstr(head, "\"empirical\"");
    return empirical && (strstr(head, "\"gbytes\"") || strstr(head, "\"gflops\"")) ? 95 : 0;
}

const profile_reader reader_ert = {
    .format = {"ert", "ERT roofline.json", "ert Config/your.machine (Results.*/Run.*/roofline.json)",
               "a machine: measured bandwidths by level and peaks by precision"},
    .recognise = is_ert,
    .read = read_ert,
};
