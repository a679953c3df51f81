roofline op gemm m=8 n=14336 k=4096 --on h100-sxm --chart | sed -n '1,2p;/^gemm/,/least/p'
