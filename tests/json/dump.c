/* A JSON text from standard input, read and written again, for a comparison with a parser that nobody here wrote
 * (oracle.py). With an argument: one number a line, each read by json_figure() and printed exactly. */
#include <stdio.h>
#include <string.h>

#include "json/pull.h"
#include "json/tree.h"
#include "json/write.h"

static int write_bytes(void *context, const char *bytes, size_t length) {
    return fwrite(bytes, 1, length, context) != length;
}

static void dump(emit *out, const char *key, const json_node *node) {
    const json_node *member = NULL;
    const char *name;
    switch (json_kind_of(node)) {
    case JSON_NODE_OBJECT:
        emit_object(out, key);
        while (json_next_member(node, &member, &name))
            dump(out, name, member);
        emit_end(out);
        break;
    case JSON_NODE_LIST:
        emit_array(out, key);
        for (size_t i = 0; i < json_size(node); i++)
            dump(out, NULL, json_at(node, i));
        emit_end(out);
        break;
    case JSON_NODE_TEXT:
        emit_string(out, key, json_text(node));
        break;
    case JSON_NODE_NUMBER:
        emit_number(out, key, json_number(node, 0));
        break;
    case JSON_NODE_BOOL:
        emit_bool(out, key, json_bool(node, false));
        break;
    default:
        emit_null(out, key);
    }
}

static int dump_numbers(void) {
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        double value;
        if (json_figure(line, strcspn(line, "\n"), &value))
            printf("%a\n", value);
        else
            printf("none\n");
    }
    return 0;
}

int main(int argc, char **argv) {
    static char text[1 << 24];
    roof_error error;
    (void)argv;
    if (argc > 1)
        return dump_numbers();
    size_t length = fread(text, 1, sizeof text, stdin);
    json_node *root = json_read(text, length, &error);
    if (!root) {
        printf("refused\n");
        return 1;
    }
    emit out = emit_to(write_bytes, stdout);
    dump(&out, NULL, root);
    json_free(root);
    return emit_finish(&out);
}
