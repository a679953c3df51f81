/* One row a kind of operation: what the public table says, how its costs are computed, how it explains itself. */
#ifndef ROOFLINE_WORK_KINDS_H
#define ROOFLINE_WORK_KINDS_H

#include "roofline.h"

typedef struct work_kind {
    roof_kind_info info;
    /* Costs from kind, shape and dtype; those three are filled in and the rest is zero. */
    void (*cost)(roof_operation *operation);
    /* What the range of a single parameter cannot say, or NULL. */
    int (*check)(const roof_operation *operation, roof_error *error);
    const char *explain; /* lines in the notation of explain.c */
} work_kind;

const work_kind *work_kind_of(roof_kind kind); /* NULL past the end */

/* Place of a parameter in shape[] or dtype[], or -1. */
int work_parameter_place(const roof_kind_info *info, const char *name);

/* The arguments that build `operation` again, in the order of its kind's parameters. Returns how many. */
enum { WORK_ARGUMENT_MAX = ROOF_SHAPE_MAX + ROOF_OPERAND_MAX };
size_t work_arguments(const roof_operation *operation, roof_argument out[WORK_ARGUMENT_MAX]);

/* Costs and checks of the kinds, by file. */
void work_gemm_cost(roof_operation *operation);
void work_gemv_cost(roof_operation *operation);
void work_grouped_gemm_cost(roof_operation *operation);
int work_grouped_gemm_check(const roof_operation *operation, roof_error *error);
void work_attention_cost(roof_operation *operation);
int work_attention_check(const roof_operation *operation, roof_error *error);
void work_recurrence_cost(roof_operation *operation);
void work_conv_cost(roof_operation *operation);
int work_conv_check(const roof_operation *operation, roof_error *error);
void work_norm_cost(roof_operation *operation);
void work_softmax_cost(roof_operation *operation);
void work_elementwise_cost(roof_operation *operation);
void work_reduction_cost(roof_operation *operation);
void work_embedding_cost(roof_operation *operation);
void work_stream_cost(roof_operation *operation);
void work_spmv_cost(roof_operation *operation);
void work_stencil_cost(roof_operation *operation);
void work_fft_cost(roof_operation *operation);
void work_collective_cost(roof_operation *operation);
int work_collective_check(const roof_operation *operation, roof_error *error);
void work_custom_cost(roof_operation *operation);

/* For the explanations. */
double work_conv_output(const roof_operation *operation, int axis); /* points along axis 0 depth, 1 height, 2 width */
double work_recurrence_pairs(const roof_operation *operation);      /* of one head, inside chunks */
double work_format_blocks(const roof_operation *operation);         /* scale blocks of one gemm or expert matrix */

#endif
