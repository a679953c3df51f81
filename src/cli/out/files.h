/* Files read whole, and files that appear only when they are complete. */
#ifndef ROOFLINE_CLI_OUT_FILES_H
#define ROOFLINE_CLI_OUT_FILES_H

#include "cli/out/text.h"

/* Replace the file (through links: the one they lead to) or make it; pipes and devices are written into. `durable`: the
 * bytes are on the disk before the file takes its name. On -1 the file is as it was and nothing is left beside it. */
int file_write(const char *path, const text_out *out, bool durable, roof_error *error);
/* Could `path` be written, its folders made? Says why not, and leaves nothing behind. */
int file_may_write(const char *path, roof_error *error);
/* The folders that the path of a file goes through. */
int folders_make(const char *path, roof_error *error);

/* Put the path and the line before what a reader says, unless it named the file itself. */
void name_file(const char *path, roof_error *error);
/* A whole file in memory (freed by the caller), at most `limit` bytes. */
char *read_whole(const char *path, size_t limit, size_t *length, roof_error *error);

#endif
