/* A checkpoint on disk: its safetensors files, found through an index or in a folder, and what the index says of them.
 */
#ifndef ROOFLINE_READ_CHECKPOINT_SHARDS_H
#define ROOFLINE_READ_CHECKPOINT_SHARDS_H

#include "read/checkpoint/weights.h"

enum { PATH_SIZE = 4096 + 512 };

typedef struct index_file {
    double total_size, total_parameters; /* 0: not stated */
    size_t tensors;                      /* entries of weight_map */
    const char **files;                  /* distinct */
    size_t file_count;
    bool text_after; /* more text behind the JSON */
} index_file;

/* 1: an index, read; 0: some other file; -1 with the error filled. */
int index_read(source *s, arena *memory, index_file *out, roof_error *error);

/* What a folder holds that could be a model. Names without the folder; NULL: none. */
typedef struct folder_view {
    bool config;
    const char *index, *gguf, *onnx;
    const char **safetensors;
    size_t safetensors_count, gguf_count;
} folder_view;
int folder_read(const char *folder, arena *memory, folder_view *out, roof_error *error);

typedef struct checkpoint {
    weight_set set;
    index_file index; /* tensors 0: there is none */
    size_t missing;   /* files the index names that are not there */
    const char *missing_name;
} checkpoint;

#endif
