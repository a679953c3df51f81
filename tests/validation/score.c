/* score --data FOLDER [--file NAME]... [--worst N] [--violations] [--sample FILE]: hold the published measurements of a
 * folder of tables against the bound. Exit 1 when a bound is above a measurement and nothing explains it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validation/score.h"

typedef struct score_options {
    const char *folder, *file, *sample;
    size_t worst;
    bool violations;
} score_options;

static int usage(void) {
    fprintf(stderr, "usage: score --data FOLDER [--file NAME] [--worst N] [--violations] [--sample FILE]\n");
    return 2;
}

static int parse(int count, char **words, score_options *out) {
    *out = (score_options){.worst = 3};
    for (int i = 1; i < count; i++) {
        const char *value = i + 1 < count ? words[i + 1] : NULL;
        if (strcmp(words[i], "--violations") == 0) {
            out->violations = true;
            continue;
        }
        if (!value)
            return -1;
        if (strcmp(words[i], "--data") == 0)
            out->folder = value;
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
    return out->folder ? 0 : -1;
}

static int read_all(const score_options *options, score_set *score) {
    size_t found = 0;
    for (size_t i = 0; i < reader_count; i++) {
        char path[1024];
        csv_table table;
        if (options->file && strcmp(options->file, readers[i].file) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s.csv", options->folder, readers[i].file);
        if (csv_read(path, &table)) {
            fprintf(stderr, "score: %s cannot be read\n", path);
            continue;
        }
        found++;
        int failed = score_table(score, &table, readers[i].file);
        csv_free(&table);
        if (failed)
            return -1;
    }
    return found > 0 ? 0 : -1;
}

int main(int count, char **words) {
    score_options options;
    score_set score = {0};
    if (parse(count, words, &options))
        return usage();
    if (read_all(&options, &score)) {
        fprintf(stderr, "score: nothing to score in %s\n", options.folder);
        score_free(&score);
        return 2;
    }
    int failed = 0;
    if (options.sample)
        failed = write_sample(&score, options.folder, options.sample);
    else if (options.violations)
        report_violations(&score);
    else
        report(&score, options.worst);
    size_t unexplained = score_unexplained(&score);
    score_free(&score);
    return failed || unexplained > 0;
}
