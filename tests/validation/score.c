/* score --data FOLDER [--file NAME] [--worst N] [--summary] [--quick] [--violations] [--sample FILE]: hold the
 * published measurements of a folder of tables (or of one table like sample.csv: --table FILE) against the bound and
 * the expected time. Constants are fitted without what is scored; --quick leaves that out, so that only the bound and
 * figures in sample are left. --summary: only the first tables; --held: the figures that a sample is held to. Exit 1
 * when a bound is above a measurement and nothing explains it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validation/score.h"

typedef struct score_options {
    const char *folder, *table, *file, *sample;
    size_t worst;
    bool violations, quick, summary, held;
} score_options;

static int usage(void) {
    fprintf(stderr, "usage: score --data FOLDER | --table FILE [--file NAME] [--worst N] [--summary] [--quick] "
                    "[--violations] [--held] "
                    "[--sample FILE]\n");
    return 2;
}

static bool is_switch(const char *word, score_options *out) {
    bool *const switches[] = {&out->violations, &out->quick, &out->summary, &out->held};
    static const char *const names[] = {"--violations", "--quick", "--summary", "--held"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(word, names[i]) == 0)
            return *switches[i] = true;
    return false;
}

static int parse(int count, char **words, score_options *out) {
    *out = (score_options){.worst = 3};
    for (int i = 1; i < count; i++) {
        const char *value = i + 1 < count ? words[i + 1] : NULL;
        if (is_switch(words[i], out))
            continue;
        if (!value)
            return -1;
        if (strcmp(words[i], "--data") == 0)
            out->folder = value;
        else if (strcmp(words[i], "--table") == 0)
            out->table = value;
        else if (strcmp(words[i], "--file") == 0)
            out->file = value;
        else if (strcmp(words[i], "--sample") == 0)
            out->sample = value;
        else if (strcmp(words[i], "--worst") == 0)
            out->worst = (size_t)strtoul(value, NULL, 10);
        else
            return -1;
        i++;
    }
    return (out->folder != NULL) != (out->table != NULL) && !(out->sample && out->table) ? 0 : -1;
}

static int read_table(score_set *score, const char *path, const char *file) {
    csv_table table;
    if (csv_read(path, &table)) {
        fprintf(stderr, "score: %s cannot be read\n", path);
        return -1;
    }
    int failed = score_table(score, &table, file);
    csv_free(&table);
    return failed;
}

/* Tables that are not there are said and passed over; one has to be there. */
static int read_all(const score_options *options, score_set *score) {
    size_t found = 0;
    if (options->table)
        return read_table(score, options->table, NULL);
    for (size_t i = 0; i < reader_count; i++) {
        char path[1024];
        if (options->file && strcmp(options->file, readers[i].file) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s.csv", options->folder, readers[i].file);
        found += !read_table(score, path, readers[i].file);
    }
    return found > 0 ? 0 : -1;
}

int main(int count, char **words) {
    score_options options;
    score_set score = {0};
    if (parse(count, words, &options))
        return usage();
    if (read_all(&options, &score)) {
        fprintf(stderr, "score: nothing to score\n");
        score_free(&score);
        return 2;
    }
    bool counts = !options.sample && !options.violations && !options.held;
    int failed = counts && !options.quick ? predict_left_out(&score) : 0;
    if (options.sample)
        failed = write_sample(&score, options.folder, options.sample);
    else if (options.violations)
        report_violations(&score);
    else if (options.held)
        report_held(&score);
    else if (options.summary)
        report_summary(&score);
    else
        report(&score, options.worst);
    size_t unexplained = score_unexplained(&score);
    score_free(&score);
    return failed || unexplained > 0;
}
