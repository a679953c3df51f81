/* What one count of a raw event is worth: FLOPs of a unit and dtype, or bytes at a level. The only place where such
 * weights live; docs/profiles/events.md says why each is what it is, by its source key. */
#include "roofline_profile.h"

#define FLOPS(NAME, VENDOR, UNIT, DTYPE, WEIGHT, SOURCE)                                                               \
    { .name = NAME, .vendor = VENDOR, .unit = ROOF_##UNIT, .dtype = ROOF_##DTYPE, .flops = WEIGHT, .source = SOURCE }
#define BYTES(NAME, VENDOR, LEVEL, WEIGHT, SOURCE)                                                                     \
    { .name = NAME, .vendor = VENDOR, .level = ROOF_##LEVEL, .bytes = WEIGHT, .source = SOURCE }

/* clang-format off */

/* Sorted by name without regard to case: roof_event_find() halves it. An FMA counts 2 where the tool counts it once.
 * Bytes may be negative: a request counted at 64 bytes that was one of 32. */
static const roof_event events[] = {
    BYTES("cas_count_read", "Intel", DRAM, 64, "inteluncore"),
    BYTES("cas_count_write", "Intel", DRAM, 64, "inteluncore"),
    BYTES("data_reads", "Intel", DRAM, 64, "inteluncore"),
    BYTES("data_total", "Intel", DRAM, 64, "inteluncore"),
    BYTES("data_writes", "Intel", DRAM, 64, "inteluncore"),
    BYTES("dram__bytes.sum", "NVIDIA", DRAM, 1, "ncuguide"),
    BYTES("dram__bytes_op_read.sum", "NVIDIA", DRAM, 1, "ncuguide"),
    BYTES("dram__bytes_op_write.sum", "NVIDIA", DRAM, 1, "ncuguide"),
    BYTES("dram__bytes_read.sum", "NVIDIA", DRAM, 1, "ncuguide"),
    BYTES("dram__bytes_write.sum", "NVIDIA", DRAM, 1, "ncuguide"),
    BYTES("dram__sectors.sum", "NVIDIA", DRAM, 32, "ncuguide"),
    BYTES("dram__sectors_op_read.sum", "NVIDIA", DRAM, 32, "ncuguide"),
    BYTES("dram__sectors_op_write.sum", "NVIDIA", DRAM, 32, "ncuguide"),
    BYTES("dram__sectors_read.sum", "NVIDIA", DRAM, 32, "ncuguide"),
    BYTES("dram__sectors_write.sum", "NVIDIA", DRAM, 32, "ncuguide"),
    BYTES("dram_channel_data_controller_0", "AMD", DRAM, 64, "amdevents"),
    BYTES("dram_channel_data_controller_1", "AMD", DRAM, 64, "amdevents"),
    BYTES("dram_channel_data_controller_2", "AMD", DRAM, 64, "amdevents"),
    BYTES("dram_channel_data_controller_3", "AMD", DRAM, 64, "amdevents"),
    BYTES("dram_channel_data_controller_4", "AMD", DRAM, 64, "amdevents"),
    BYTES("dram_channel_data_controller_5", "AMD", DRAM, 64, "amdevents"),
    BYTES("dram_channel_data_controller_6", "AMD", DRAM, 64, "amdevents"),
    BYTES("dram_channel_data_controller_7", "AMD", DRAM, 64, "amdevents"),
    BYTES("FETCH_SIZE", "AMD", DRAM, 1024, "rocprof"),
    FLOPS("fp_arith_inst_retired.128b_packed_double", "Intel", VECTOR, F64, 2, "intelevents"),
    FLOPS("fp_arith_inst_retired.128b_packed_single", "Intel", VECTOR, F32, 4, "intelevents"),
    FLOPS("fp_arith_inst_retired.256b_packed_double", "Intel", VECTOR, F64, 4, "intelevents"),
    FLOPS("fp_arith_inst_retired.256b_packed_single", "Intel", VECTOR, F32, 8, "intelevents"),
    FLOPS("fp_arith_inst_retired.4_flops", "Intel", VECTOR, DTYPE_NONE, 4, "intelevents"),
    FLOPS("fp_arith_inst_retired.512b_packed_double", "Intel", VECTOR, F64, 8, "intelevents"),
    FLOPS("fp_arith_inst_retired.512b_packed_single", "Intel", VECTOR, F32, 16, "intelevents"),
    FLOPS("fp_arith_inst_retired.8_flops", "Intel", VECTOR, DTYPE_NONE, 8, "intelevents"),
    FLOPS("fp_arith_inst_retired.scalar", "Intel", VECTOR, DTYPE_NONE, 1, "intelevents"),
    FLOPS("fp_arith_inst_retired.scalar_double", "Intel", VECTOR, F64, 1, "intelevents"),
    FLOPS("fp_arith_inst_retired.scalar_single", "Intel", VECTOR, F32, 1, "intelevents"),
    FLOPS("fp_arith_inst_retired2.128b_packed_half", "Intel", VECTOR, F16, 8, "intelmetrics"),
    FLOPS("fp_arith_inst_retired2.256b_packed_half", "Intel", VECTOR, F16, 16, "intelmetrics"),
    FLOPS("fp_arith_inst_retired2.512b_packed_half", "Intel", VECTOR, F16, 32, "intelmetrics"),
    FLOPS("fp_arith_inst_retired2.complex_scalar_half", "Intel", VECTOR, F16, 2, "intelmetrics"),
    FLOPS("fp_arith_inst_retired2.scalar_half", "Intel", VECTOR, F16, 1, "intelmetrics"),
    FLOPS("fp_dp_fixed_ops_spec", "Arm", VECTOR, F64, 1, "armevents"),
    FLOPS("fp_dp_scale_ops_spec", "Arm", VECTOR, F64, 1, "armevents"),
    FLOPS("fp_fixed_ops_spec", "Arm", VECTOR, DTYPE_NONE, 1, "armevents"),
    FLOPS("fp_hp_fixed_ops_spec", "Arm", VECTOR, F16, 1, "armevents"),
    FLOPS("fp_hp_scale_ops_spec", "Arm", VECTOR, F16, 1, "armevents"),
    FLOPS("fp_ret_sse_avx_ops.add_sub_flops", "AMD", VECTOR, DTYPE_NONE, 1, "amdevents"),
    FLOPS("fp_ret_sse_avx_ops.all", "AMD", VECTOR, DTYPE_NONE, 1, "amdevents"),
    FLOPS("fp_ret_sse_avx_ops.bfloat_mac_flops", "AMD", VECTOR, BF16, 1, "amdevents"),
    FLOPS("fp_ret_sse_avx_ops.div_flops", "AMD", VECTOR, DTYPE_NONE, 1, "amdevents"),
    FLOPS("fp_ret_sse_avx_ops.mac_flops", "AMD", VECTOR, DTYPE_NONE, 1, "amdevents"),
    FLOPS("fp_ret_sse_avx_ops.mult_flops", "AMD", VECTOR, DTYPE_NONE, 1, "amdevents"),
    FLOPS("fp_scale_ops_spec", "Arm", VECTOR, DTYPE_NONE, 1, "armevents"),
    FLOPS("fp_sp_fixed_ops_spec", "Arm", VECTOR, F32, 1, "armevents"),
    FLOPS("fp_sp_scale_ops_spec", "Arm", VECTOR, F32, 1, "armevents"),
    BYTES("l1d.replacement", "Intel", L2, 64, "likwid"),
    BYTES("l1tex__m_l1tex2xbar_write_bytes.sum", "NVIDIA", L2, 1, "ncuguide"),
    BYTES("l1tex__m_l1tex2xbar_write_sectors.sum", "NVIDIA", L2, 32, "ncuguide"),
    BYTES("l1tex__m_xbar2l1tex_read_bytes.sum", "NVIDIA", L2, 1, "ncuguide"),
    BYTES("l1tex__m_xbar2l1tex_read_sectors.sum", "NVIDIA", L2, 32, "ncuguide"),
    BYTES("l1tex__t_bytes.sum", "NVIDIA", L1, 1, "nersc"),
    BYTES("l1tex__t_sectors.sum", "NVIDIA", L1, 32, "ncuguide"),
    BYTES("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "NVIDIA", L1, 32, "ncuguide"),
    BYTES("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "NVIDIA", L1, 32, "ncuguide"),
    BYTES("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "NVIDIA", L1, 32, "ncuguide"),
    BYTES("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "NVIDIA", L1, 32, "ncuguide"),
    BYTES("l2_lines_in.all", "Intel", L3, 64, "likwid"),
    BYTES("l2_lines_out.non_silent", "Intel", L3, 64, "likwid"),
    BYTES("l2_trans.l1d_wb", "Intel", L2, 64, "likwid"),
    BYTES("ll_cache_miss_rd", "Arm", DRAM, 64, "armevents"),
    BYTES("LLC-load-misses", "any", DRAM, 64, "perflist"),
    BYTES("LLC-store-misses", "any", DRAM, 64, "perflist"),
    BYTES("lts__t_bytes.sum", "NVIDIA", L2, 1, "nersc"),
    BYTES("lts__t_sectors.sum", "NVIDIA", L2, 32, "ncuguide"),
    BYTES("lts__t_sectors_op_atom.sum", "NVIDIA", L2, 32, "ncuguide"),
    BYTES("lts__t_sectors_op_read.sum", "NVIDIA", L2, 32, "ncuguide"),
    BYTES("lts__t_sectors_op_red.sum", "NVIDIA", L2, 32, "ncuguide"),
    BYTES("lts__t_sectors_op_write.sum", "NVIDIA", L2, 32, "ncuguide"),
    BYTES("lts__t_sectors_srcunit_tex.sum", "NVIDIA", L2, 32, "ncuguide"),
    BYTES("lts__t_sectors_srcunit_tex_op_read.sum", "NVIDIA", L2, 32, "ncuguide"),
    BYTES("lts__t_sectors_srcunit_tex_op_write.sum", "NVIDIA", L2, 32, "ncuguide"),
    FLOPS("sm__ops_path_tensor_src_bf16_dst_fp32.sum", "NVIDIA", MATRIX, BF16, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_bf16_dst_fp32_sparsity_off.sum", "NVIDIA", MATRIX, BF16, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_bf16_dst_fp32_sparsity_on.sum", "NVIDIA", MATRIX, BF16, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp16.sum", "NVIDIA", MATRIX, F16, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp16_dst_fp16.sum", "NVIDIA", MATRIX, F16, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp16_dst_fp16_sparsity_off.sum", "NVIDIA", MATRIX, F16, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp16_dst_fp16_sparsity_on.sum", "NVIDIA", MATRIX, F16, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp16_dst_fp32.sum", "NVIDIA", MATRIX, F16, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp16_dst_fp32_sparsity_off.sum", "NVIDIA", MATRIX, F16, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp16_dst_fp32_sparsity_on.sum", "NVIDIA", MATRIX, F16, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp16_sparsity_off.sum", "NVIDIA", MATRIX, F16, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp16_sparsity_on.sum", "NVIDIA", MATRIX, F16, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp4.sum", "NVIDIA", MATRIX, FP4, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp4_dst_fp16.sum", "NVIDIA", MATRIX, FP4, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp4_dst_fp16_sparsity_off.sum", "NVIDIA", MATRIX, FP4, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp4_dst_fp16_sparsity_on.sum", "NVIDIA", MATRIX, FP4, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp4_dst_fp32.sum", "NVIDIA", MATRIX, FP4, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp4_dst_fp32_sparsity_off.sum", "NVIDIA", MATRIX, FP4, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp4_dst_fp32_sparsity_on.sum", "NVIDIA", MATRIX, FP4, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp4_sparsity_off.sum", "NVIDIA", MATRIX, FP4, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp4_sparsity_on.sum", "NVIDIA", MATRIX, FP4, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp6.sum", "NVIDIA", MATRIX, FP6, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp64.sum", "NVIDIA", MATRIX, F64, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp6_dst_fp16.sum", "NVIDIA", MATRIX, FP6, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp6_dst_fp16_sparsity_off.sum", "NVIDIA", MATRIX, FP6, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp6_dst_fp16_sparsity_on.sum", "NVIDIA", MATRIX, FP6, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp6_dst_fp32.sum", "NVIDIA", MATRIX, FP6, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp6_dst_fp32_sparsity_off.sum", "NVIDIA", MATRIX, FP6, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp6_dst_fp32_sparsity_on.sum", "NVIDIA", MATRIX, FP6, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp6_sparsity_off.sum", "NVIDIA", MATRIX, FP6, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp6_sparsity_on.sum", "NVIDIA", MATRIX, FP6, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp8.sum", "NVIDIA", MATRIX, FP8, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp8_dst_fp16.sum", "NVIDIA", MATRIX, FP8, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp8_dst_fp16_sparsity_off.sum", "NVIDIA", MATRIX, FP8, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp8_dst_fp16_sparsity_on.sum", "NVIDIA", MATRIX, FP8, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp8_dst_fp32.sum", "NVIDIA", MATRIX, FP8, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp8_dst_fp32_sparsity_off.sum", "NVIDIA", MATRIX, FP8, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp8_dst_fp32_sparsity_on.sum", "NVIDIA", MATRIX, FP8, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp8_sparsity_off.sum", "NVIDIA", MATRIX, FP8, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_fp8_sparsity_on.sum", "NVIDIA", MATRIX, FP8, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_int4.sum", "NVIDIA", MATRIX, INT4, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_int4_sparsity_off.sum", "NVIDIA", MATRIX, INT4, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_int4_sparsity_on.sum", "NVIDIA", MATRIX, INT4, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_int8.sum", "NVIDIA", MATRIX, INT8, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_int8_sparsity_off.sum", "NVIDIA", MATRIX, INT8, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_int8_sparsity_on.sum", "NVIDIA", MATRIX, INT8, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_tf32_dst_fp32.sum", "NVIDIA", MATRIX, TF32, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_tf32_dst_fp32_sparsity_off.sum", "NVIDIA", MATRIX, TF32, 1, "nvops"),
    FLOPS("sm__ops_path_tensor_src_tf32_dst_fp32_sparsity_on.sum", "NVIDIA", MATRIX, TF32, 1, "nvops"),
    FLOPS("sm__sass_thread_inst_executed_op_dadd_pred_on.sum", "NVIDIA", VECTOR, F64, 1, "nvsections"),
    FLOPS("sm__sass_thread_inst_executed_op_dfma_pred_on.sum", "NVIDIA", VECTOR, F64, 2, "nvsections"),
    FLOPS("sm__sass_thread_inst_executed_op_dmul_pred_on.sum", "NVIDIA", VECTOR, F64, 1, "nvsections"),
    FLOPS("sm__sass_thread_inst_executed_op_fadd2_pred_on.sum", "NVIDIA", VECTOR, F32, 2, "nvsections"),
    FLOPS("sm__sass_thread_inst_executed_op_fadd_pred_on.sum", "NVIDIA", VECTOR, F32, 1, "nvsections"),
    FLOPS("sm__sass_thread_inst_executed_op_ffma2_pred_on.sum", "NVIDIA", VECTOR, F32, 4, "nvsections"),
    FLOPS("sm__sass_thread_inst_executed_op_ffma_pred_on.sum", "NVIDIA", VECTOR, F32, 2, "nvsections"),
    FLOPS("sm__sass_thread_inst_executed_op_fmul2_pred_on.sum", "NVIDIA", VECTOR, F32, 2, "nvsections"),
    FLOPS("sm__sass_thread_inst_executed_op_fmul_pred_on.sum", "NVIDIA", VECTOR, F32, 1, "nvsections"),
    FLOPS("sm__sass_thread_inst_executed_op_hadd_pred_on.sum", "NVIDIA", VECTOR, F16, 2, "nvsections"),
    FLOPS("sm__sass_thread_inst_executed_op_hfma_pred_on.sum", "NVIDIA", VECTOR, F16, 4, "nvsections"),
    FLOPS("sm__sass_thread_inst_executed_op_hmul_pred_on.sum", "NVIDIA", VECTOR, F16, 2, "nvsections"),
    FLOPS("smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", "NVIDIA", VECTOR, F64, 1, "nvsections"),
    FLOPS("smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", "NVIDIA", VECTOR, F64, 2, "nvsections"),
    FLOPS("smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", "NVIDIA", VECTOR, F64, 1, "nvsections"),
    FLOPS("smsp__sass_thread_inst_executed_op_fadd2_pred_on.sum", "NVIDIA", VECTOR, F32, 2, "nvsections"),
    FLOPS("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", "NVIDIA", VECTOR, F32, 1, "nvsections"),
    FLOPS("smsp__sass_thread_inst_executed_op_ffma2_pred_on.sum", "NVIDIA", VECTOR, F32, 4, "nvsections"),
    FLOPS("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "NVIDIA", VECTOR, F32, 2, "nvsections"),
    FLOPS("smsp__sass_thread_inst_executed_op_fmul2_pred_on.sum", "NVIDIA", VECTOR, F32, 2, "nvsections"),
    FLOPS("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", "NVIDIA", VECTOR, F32, 1, "nvsections"),
    FLOPS("smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", "NVIDIA", VECTOR, F16, 2, "nvsections"),
    FLOPS("smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", "NVIDIA", VECTOR, F16, 4, "nvsections"),
    FLOPS("smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", "NVIDIA", VECTOR, F16, 2, "nvsections"),
    FLOPS("SQ_INSTS_VALU_ADD_F16", "AMD", VECTOR, F16, 64, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_ADD_F32", "AMD", VECTOR, F32, 64, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_ADD_F64", "AMD", VECTOR, F64, 64, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_FMA_F16", "AMD", VECTOR, F16, 128, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_FMA_F32", "AMD", VECTOR, F32, 128, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_FMA_F64", "AMD", VECTOR, F64, 128, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_MFMA_MOPS_BF16", "AMD", MATRIX, BF16, 512, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_MFMA_MOPS_F16", "AMD", MATRIX, F16, 512, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_MFMA_MOPS_F32", "AMD", MATRIX, F32, 512, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_MFMA_MOPS_F64", "AMD", MATRIX, F64, 512, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_MFMA_MOPS_F6F4", "AMD", MATRIX, FP4, 512, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_MFMA_MOPS_F8", "AMD", MATRIX, FP8, 512, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_MFMA_MOPS_I8", "AMD", MATRIX, INT8, 512, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_MFMA_MOPS_XF32", "AMD", MATRIX, TF32, 512, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_MUL_F16", "AMD", VECTOR, F16, 64, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_MUL_F32", "AMD", VECTOR, F32, 64, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_MUL_F64", "AMD", VECTOR, F64, 64, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_TRANS_F16", "AMD", VECTOR, F16, 64, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_TRANS_F32", "AMD", VECTOR, F32, 64, "rocmcompute"),
    FLOPS("SQ_INSTS_VALU_TRANS_F64", "AMD", VECTOR, F64, 64, "rocmcompute"),
    BYTES("TCC_BUBBLE", "AMD", DRAM, 64, "rocmcompute"),
    BYTES("TCC_BUBBLE_sum", "AMD", DRAM, 64, "rocmcompute"),
    BYTES("TCC_EA0_RDREQ", "AMD", DRAM, 64, "rocmcompute"),
    BYTES("TCC_EA0_RDREQ_32B", "AMD", DRAM, -32, "rocmcompute"),
    BYTES("TCC_EA0_RDREQ_32B_sum", "AMD", DRAM, -32, "rocmcompute"),
    BYTES("TCC_EA0_RDREQ_sum", "AMD", DRAM, 64, "rocmcompute"),
    BYTES("TCC_EA0_WRREQ", "AMD", DRAM, 32, "rocmcompute"),
    BYTES("TCC_EA0_WRREQ_64B", "AMD", DRAM, 32, "rocmcompute"),
    BYTES("TCC_EA0_WRREQ_64B_sum", "AMD", DRAM, 32, "rocmcompute"),
    BYTES("TCC_EA0_WRREQ_sum", "AMD", DRAM, 32, "rocmcompute"),
    BYTES("TCC_EA_RDREQ", "AMD", DRAM, 64, "rocmcompute"),
    BYTES("TCC_EA_RDREQ_32B", "AMD", DRAM, -32, "rocmcompute"),
    BYTES("TCC_EA_RDREQ_32B_sum", "AMD", DRAM, -32, "rocmcompute"),
    BYTES("TCC_EA_RDREQ_sum", "AMD", DRAM, 64, "rocmcompute"),
    BYTES("TCC_EA_WRREQ", "AMD", DRAM, 32, "rocmcompute"),
    BYTES("TCC_EA_WRREQ_64B", "AMD", DRAM, 32, "rocmcompute"),
    BYTES("TCC_EA_WRREQ_64B_sum", "AMD", DRAM, 32, "rocmcompute"),
    BYTES("TCC_EA_WRREQ_sum", "AMD", DRAM, 32, "rocmcompute"),
    BYTES("TCP_TCC_ATOMIC_WITH_RET_REQ", "AMD", L2, 64, "rocmcompute"),
    BYTES("TCP_TCC_ATOMIC_WITH_RET_REQ_sum", "AMD", L2, 64, "rocmcompute"),
    BYTES("TCP_TCC_ATOMIC_WITHOUT_RET_REQ", "AMD", L2, 64, "rocmcompute"),
    BYTES("TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum", "AMD", L2, 64, "rocmcompute"),
    BYTES("TCP_TCC_READ_REQ", "AMD", L2, 64, "rocmcompute"),
    BYTES("TCP_TCC_READ_REQ_sum", "AMD", L2, 64, "rocmcompute"),
    BYTES("TCP_TCC_WRITE_REQ", "AMD", L2, 64, "rocmcompute"),
    BYTES("TCP_TCC_WRITE_REQ_sum", "AMD", L2, 64, "rocmcompute"),
    BYTES("TCP_TOTAL_CACHE_ACCESSES", "AMD", L1, 64, "rocmcompute"),
    BYTES("TCP_TOTAL_CACHE_ACCESSES_sum", "AMD", L1, 64, "rocmcompute"),
    BYTES("umc_cas_cmd.all", "AMD", DRAM, 64, "amdevents"),
    BYTES("umc_cas_cmd.rd", "AMD", DRAM, 64, "amdevents"),
    BYTES("umc_cas_cmd.wr", "AMD", DRAM, 64, "amdevents"),
    BYTES("unc_m_cas_count.all", "Intel", DRAM, 64, "inteluncore"),
    BYTES("unc_m_cas_count.rd", "Intel", DRAM, 64, "inteluncore"),
    BYTES("unc_m_cas_count.wr", "Intel", DRAM, 64, "inteluncore"),
    BYTES("unc_m_cas_count_sch0.rd", "Intel", DRAM, 64, "inteluncore"),
    BYTES("unc_m_cas_count_sch0.wr", "Intel", DRAM, 64, "inteluncore"),
    BYTES("unc_m_cas_count_sch1.rd", "Intel", DRAM, 64, "inteluncore"),
    BYTES("unc_m_cas_count_sch1.wr", "Intel", DRAM, 64, "inteluncore"),
    BYTES("WRITE_SIZE", "AMD", DRAM, 1024, "rocprof"),
};

/* Names whose rest varies. Those without FLOPs show that the matrix unit worked, and not how much. */
static const roof_event families[] = {
    FLOPS("amx_ops_retired.*", "Intel", MATRIX, DTYPE_NONE, 0, "intelevents"),
    FLOPS("sm__inst_executed_pipe_tc*", "NVIDIA", MATRIX, DTYPE_NONE, 0, "ncuguide"),
    FLOPS("sm__inst_executed_pipe_tensor*", "NVIDIA", MATRIX, DTYPE_NONE, 0, "ncuguide"),
    FLOPS("sm__pipe_tc_*", "NVIDIA", MATRIX, DTYPE_NONE, 0, "ncuguide"),
    FLOPS("sm__pipe_tensor*", "NVIDIA", MATRIX, DTYPE_NONE, 0, "ncuguide"),
    FLOPS("smsp__inst_executed_pipe_tensor*", "NVIDIA", MATRIX, DTYPE_NONE, 0, "ncuguide"),
};
/* clang-format on */

enum {
    EVENT_COUNT = sizeof events / sizeof events[0],
    FAMILY_COUNT = sizeof families / sizeof families[0],
};

static int folded(char c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

/* As strcmp, without regard to case; '*' at the end of `pattern` is equal to any rest. */
static int compare(const char *name, const char *pattern) {
    for (; *name && folded(*name) == folded(*pattern); name++)
        pattern++;
    return *pattern == '*' && pattern[1] == '\0' ? 0 : folded(*name) - folded(*pattern);
}

const roof_event *roof_event_find(const char *name) {
    size_t low = 0, high = EVENT_COUNT;
    while (name && low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(name, events[middle].name);
        if (order == 0)
            return &events[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    for (size_t i = 0; name && i < FAMILY_COUNT; i++)
        if (compare(name, families[i].name) == 0)
            return &families[i];
    return NULL;
}

const roof_event *roof_event_at(size_t index) {
    if (index < EVENT_COUNT)
        return &events[index];
    return index - EVENT_COUNT < FAMILY_COUNT ? &families[index - EVENT_COUNT] : NULL;
}
