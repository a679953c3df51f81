roofline op gemm m=8 n=14336 k=4096 --on h100-sxm --engine vllm
