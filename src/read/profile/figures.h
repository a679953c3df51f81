/* Numbers as tools print them: "5,318,969,728.00", "27.595.520", "65,77", "1.2e9", "12 345", "n/a". Which of '.' and
 * ',' is the decimal mark is found out from all numbers of a file together, or refused: never guessed a factor of 1000
 * wrong. */
#ifndef ROOFLINE_READ_PROFILE_FIGURES_H
#define ROOFLINE_READ_PROFILE_FIGURES_H

#include "roofline.h"

typedef struct figure_style {
    bool point_decimal, comma_decimal; /* some number shows that '.' (',') is the decimal mark */
    bool ambiguous;                    /* some number could be read both ways: "117.344" */
    bool plain_large;                  /* some whole number of four digits or more is not grouped at all */
    char sign;                         /* of the ambiguous numbers */
    char decimal;                      /* as decided: '.' or ','; 0 not yet */
    char example[40];                  /* an ambiguous number, for the message */
} figure_style;

typedef enum figure_kind {
    FIGURE_NUMBER,
    FIGURE_ABSENT, /* empty, "n/a", "nan", "-", "<not counted>", "(null)": missing, not zero */
    FIGURE_TEXT    /* a word: no number at all */
} figure_kind;

/* Look at a number without reading it. */
void figure_observe(figure_style *style, const char *text);
/* Decide: 0, or -1 where the numbers contradict each other, or where all are ambiguous (`decimal` of the options
 * decides then; without grouping signs at all '.' is decimal as in every C locale). The error names the example and the
 * option --decimal. */
int figure_decide(figure_style *style, char decimal, roof_error *error);
/* Read one number in the style decided (0: C locale with ',' as grouping). */
figure_kind figure_read(char decimal, const char *text, double *value);

/* Digits with signs between that are no groups of three in that style: "12 34", "1.5,000". Text to figure_read(). */
bool figure_misgrouped(char decimal, const char *text);

/* Factor of a unit to SI: "usecond" 1e-6, "Mbyte" 1e6, "KiB" 1024, "%" 0.01, "Ghz" 1e9, "cycle/nsecond" 1e9,
 * "Gbyte/second" 1e9, "inst", "sector", "" 1. -1: not a unit we know. */
double unit_factor(const char *unit);

#endif
