/* git-LFS pointers: the few lines of text that stand where a large file was not fetched. Any reader may meet one. */
#ifndef ROOFLINE_READ_LFS_H
#define ROOFLINE_READ_LFS_H

#include "roofline.h"

enum { LFS_HEAD = 512 }; /* bytes of a file that tell; a whole pointer has about 130 */

/* Is what begins with `head` a pointer? `*bytes` is then the size of the file it stands for, -1 when it does not say.
 */
bool lfs_pointer(const void *head, size_t length, double *bytes);

/* -1 with the error filled when it is one, else 0. */
int lfs_refuse(const void *head, size_t length, const char *path, roof_error *error);

#endif
