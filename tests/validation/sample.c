/* Choosing a sample */
#include "validation/score.h"
int write_sample(const score_set *score, const char *folder, const char *path) {
    (void)score; (void)folder; (void)path;
    return -1;
}
