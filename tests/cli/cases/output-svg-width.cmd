roofline op gemm m=8 n=14336 k=4096 --on h100-sxm -o x.svg --width 620 --csv && head -c 400 x.svg | grep -o "width=.620."
