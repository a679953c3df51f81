/* The raw page of Nsight Compute: a kernel a row, a metric a column, the units in the row under the header. */
#include <stdio.h>
#include <string.h>

#include "read/profile/nvidia/ncu.h"

static void find_metrics(ncu_file *file) {
    memset(file->columns, 0, sizeof file->columns);
    for (size_t i = 0; i < file->row.count; i++)
        file->columns[i].needed = ncu_metric_find(file->row.fields[i], &file->columns[i].metric);
    file->display_name = csv_column(&file->row, "device__attribute_display_name");
}

static int take_units(ncu_file *file) {
    bool units = file->row.count == file->width && !file->row.cut && ncu_cell(file, NCU_ID)[0] == '\0';
    if (!units && ncu_cut(file))
        return 1; /* the file ends in the units */
    if (!units) {
        roof_fail(file->job->error, ROOF_EFORMAT, "the row of units under the header is missing");
        roof_hint(file->job->error, "give the file as ncu wrote it: ncu --csv --page raw");
        if (file->job->error)
            file->job->error->line = file->row.line;
        return -1;
    }
    for (size_t i = 0; i < file->width; i++) {
        struct ncu_column *column = &file->columns[i];
        column->measured = column->needed || file->row.fields[i][0];
        column->factor = column->needed ? ncu_unit_factor(&column->metric, file->row.fields[i]) : 1;
        if (column->factor < 0)
            build_warning(file->job->out,
                          "line %ld: the unit '%.40s' of column %zu is unknown; its values are left out",
                          file->row.line, file->row.fields[i], i + 1);
    }
    return 0;
}

/* All measured numbers of the row say what the decimal mark is, not only those that are needed. */
static int observe_row(ncu_file *file) {
    for (size_t i = 0; i < file->width && !file->certain; i++) {
        figure_style one = {0};
        if (file->columns[i].measured)
            figure_observe(&one, file->row.fields[i]);
        file->style.point_decimal |= one.point_decimal;
        file->style.comma_decimal |= one.comma_decimal;
    }
    if (file->certain || !(file->style.point_decimal || file->style.comma_decimal))
        return 0;
    file->certain = true;
    return figure_decide(&file->style, file->job->options.decimal, file->job->error);
}

static int take_values(ncu_file *file) {
    for (size_t i = 0; i < file->width; i++) {
        struct ncu_column *column = &file->columns[i];
        ncu_state state;
        double value;
        if (!column->needed)
            continue;
        if (ncu_number(file, file->row.fields[i], &state, &value))
            return -1;
        if (column->factor < 0)
            state = NCU_ABSENT;
        ncu_give(&file->values, &column->metric, state, value * column->factor);
    }
    return 0;
}

static void take_name(ncu_file *file) {
    roof_profile_info *info = build_info(file->job->out);
    if (!info->device && file->display_name >= 0 && file->row.fields[file->display_name][0])
        info->device = build_text(file->job->out, file->row.fields[file->display_name]);
}

/* The last field of a file that ends without a line end may have lost digits, unless it is quoted. */
static bool is_whole(const ncu_file *file) {
    return file->row.count == file->width && !file->row.cut && ncu_cell(file, NCU_KERNEL)[0] &&
           !(ncu_cut(file) && !file->row.quoted[file->width - 1]);
}

static int take_row(ncu_file *file) {
    if (!is_whole(file)) {
        ncu_drop(file);
        return 0;
    }
    take_name(file);
    if (observe_row(file) || ncu_begin(file) || take_values(file))
        return -1;
    build_info(file->job->out)->rows++;
    return ncu_close(file);
}

int ncu_read_raw(ncu_file *file) {
    find_metrics(file);
    ncu_line line = ncu_next(file);
    int units = line == NCU_ROW ? take_units(file) : 0;
    if (units < 0)
        return -1;
    if (units > 0)
        ncu_drop(file);
    while (line == NCU_ROW && (line = ncu_next(file)) == NCU_ROW)
        if (take_row(file))
            return -1;
    return (int)line;
}
