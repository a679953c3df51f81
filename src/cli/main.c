/* The command. */
#include <stdio.h>

#include "roofline.h"

int main(void) {
    printf("roofline %s\n", roof_version());
    return 0;
}
