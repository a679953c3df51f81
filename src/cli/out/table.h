/* Tables of right-aligned columns that fit 80 columns. */
#ifndef ROOFLINE_CLI_OUT_TABLE_H
#define ROOFLINE_CLI_OUT_TABLE_H

#include "cli/out/text.h"

enum { TABLE_COLUMNS = 24, TABLE_CELL = 96 };

typedef struct table_column {
    const char *group; /* line above the head; neighbours with the same group share it; may be NULL */
    char head[32];
    bool left;   /* text; numbers stand right */
    bool shrink; /* may be cut when the table is too wide */
    bool fold;   /* the last column only: continues on the next line instead of being cut */
    bool wide;   /* three blanks before it instead of two */
} table_column;

typedef struct table_cell {
    char text[TABLE_CELL];
    paint colour;
} table_cell;

typedef struct table_grid {
    table_column columns[TABLE_COLUMNS];
    size_t column_count, row_count, capacity;
    table_cell *cells; /* row after row */
    size_t at;         /* next cell of the row being filled */
} table_grid;

/* `flags` letters: 'l' left, 's' shrink, 'f' shrink and fold, 'w' wide. */
void table_column_add(table_grid *table, const char *group, const char *flags, const char *head, ...) ROOF_PRINTF(4, 5);
/* Columns without a group whose heads are as they stand: table_heads(&table, "l:kernel", ":share"), flags before ':'.
 */
#define table_heads(table, ...) table_heads_add(table, (const char *const[]){__VA_ARGS__, NULL})
void table_heads_add(table_grid *table, const char *const *heads);
void table_row(table_grid *table); /* begin a row; cells not added stay empty */
void table_cell_add(table_grid *table, paint colour, const char *format, ...) ROOF_PRINTF(3, 4);
void table_text(table_grid *table, const char *text); /* a cell without colour, as it stands */
int table_width(const table_grid *table);             /* as it would be printed, no gap above two blanks */
void table_print(const table_grid *table, text_out *out);
void table_free(table_grid *table);

#endif
