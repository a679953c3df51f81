/* Which machine of the catalogue a profiler means by the device's own name. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/profile/profile.h"

enum { WORDS = 16, WORD = 24 };

typedef struct word_list {
    char words[WORDS][WORD];
    size_t count;
} word_list;

/* Runs of letters and digits in lower case. */
static word_list words_of(const char *text) {
    word_list list = {.count = 0};
    while (*text && list.count < WORDS) {
        size_t length = 0;
        while (isalnum((unsigned char)text[length]))
            length++;
        if (length > 0 && length < WORD) {
            for (size_t i = 0; i < length; i++)
                list.words[list.count][i] = (char)tolower((unsigned char)text[i]);
            list.words[list.count++][length] = '\0';
        }
        text += length + (length == 0);
    }
    return list;
}

static bool has(const word_list *list, const char *word) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->words[i], word) == 0)
            return true;
    return false;
}

/* "sxm" is in "sxm4", "80" in "80gb". */
static bool begins_one(const word_list *list, const char *word) {
    size_t length = strlen(word);
    for (size_t i = 0; i < list->count; i++)
        if (strncmp(list->words[i], word, length) == 0)
            return true;
    return false;
}

static bool has_digit(const char *word) {
    return strpbrk(word, "0123456789") != NULL;
}

/* Words of an id up to the first with a digit name the model; the rest is its variant. */
static size_t model_words(const word_list *id) {
    for (size_t i = 0; i < id->count; i++)
        if (has_digit(id->words[i]))
            return i + 1;
    return id->count;
}

/* Variants that a card has or has not: "RTX 4070 Ti" is no RTX 4070. */
static int variants(const word_list *id, const word_list *device) {
    static const char *const words[] = {"ti", "super", "max", "pro", "ultra", "laptop", "pcie", "nvl", "ada", "d"};
    int score = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        score -= has(device, words[i]) && !begins_one(id, words[i]) ? 3 : 0;
    return score;
}

static int memory_score(const roof_machine *machine, const word_list *device) {
    int score = 0;
    char size[16];
    snprintf(size, sizeof size, "%.0fgb", machine->size[ROOF_DRAM].value / 1e9);
    score += machine->size[ROOF_DRAM].origin != ROOF_ORIGIN_UNKNOWN && has(device, size) ? 2 : 0;
    word_list kind = words_of(machine->memory_kind ? machine->memory_kind : "");
    return score + (kind.count > 0 && has(device, kind.words[0]) ? 2 : 0);
}

/* 0 and less: not this one. */
static int fit(const roof_machine *machine, const word_list *device) {
    word_list id = words_of(machine->id);
    size_t needed = model_words(&id);
    for (size_t i = 0; i < needed; i++)
        if (!has(device, id.words[i]))
            return 0;
    int score = 20 + (int)needed + memory_score(machine, device) + variants(&id, device);
    for (size_t i = needed; i < id.count; i++)
        score += begins_one(device, id.words[i]) ? 2 : -1;
    return score;
}

bool profile_device_machine(const char *device, roof_machine *out) {
    word_list words = words_of(device);
    roof_machine machine;
    int best = 20;
    for (size_t i = 0; roof_machine_at(i, &machine) == 0; i++) {
        int score = fit(&machine, &words);
        if (score > best) {
            best = score;
            *out = machine;
        }
    }
    return best > 20;
}

static bool same_model(const char *a, const char *b) {
    word_list x = words_of(a), y = words_of(b);
    size_t count = model_words(&x);
    if (count != model_words(&y))
        return false;
    for (size_t i = 0; i < count; i++)
        if (strcmp(x.words[i], y.words[i]) != 0)
            return false;
    return true;
}

bool profile_device_differs(const char *device, const roof_machine *machine, roof_machine *out) {
    if (!profile_device_machine(device, out))
        return false;
    if (machine->id && same_model(machine->id, out->id))
        return false;
    word_list named = words_of(machine->name ? machine->name : ""), id = words_of(out->id);
    for (size_t i = 0; i < model_words(&id); i++) /* a machine file's own name may say it */
        if (!has(&named, id.words[i]))
            return true;
    return false;
}

const char *profile_device(const profile_question *question) {
    for (size_t i = 0; i < question->file_count; i++) {
        const roof_profile_info *about = roof_profile_about(question->files[i].profile);
        if (about->device && about->device[0])
            return about->device;
    }
    for (size_t i = 0; i < question->run_count; i++)
        if (question->runs[i].placed.run->device)
            return question->runs[i].placed.run->device;
    return NULL;
}
