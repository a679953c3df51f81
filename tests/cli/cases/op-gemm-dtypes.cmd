roofline op gemm m=64 n=4096 k=4096 dtype=f32,bf16,fp8,int8 --on h100-sxm
