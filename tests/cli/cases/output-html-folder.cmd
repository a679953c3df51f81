roofline op gemm m=8 n=14336 k=4096 --on h100-sxm -o nowhere/x.html >/dev/null; code=$?; test -e nowhere || echo nothing; exit $code
