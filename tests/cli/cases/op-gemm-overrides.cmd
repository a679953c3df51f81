roofline op gemm m=8 n=14336 k=4096 --on h100-sxm --bandwidth 3.0TB/s --peak 800TFLOP/s --launch 4us
