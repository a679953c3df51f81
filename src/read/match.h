/* Names of modules and keys against the patterns that configs use for them. */
#ifndef ROOFLINE_READ_MATCH_H
#define ROOFLINE_READ_MATCH_H

#include <stdbool.h>

/* `word` is one of the space-separated globs of `list`: `*` any run, `?` any character; the whole word. */
bool match_list(const char *list, const char *word);
/* Module paths: the glob matches whole components from the start, and a prefix of the path counts. */
bool match_path(const char *pattern, const char *path);
/* The same, from any component on. */
bool match_module(const char *pattern, const char *path);

typedef enum match_result { MATCH_NO, MATCH_YES, MATCH_UNREADABLE } match_result;
/* The subset of Python's re.match seen in quantisation configs: literals, . \d \w [..] with * + ?, ^ $, and groups of
 * alternatives without a quantifier. Anything else, or a search that takes too long, is UNREADABLE. */
match_result match_regex(const char *pattern, const char *text);

#endif
