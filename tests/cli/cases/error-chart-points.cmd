roofline op gemm m=1..9999 n=1 k=1 --on h100-sxm -o chart.svg; code=$?; ls chart.svg* 2>/dev/null; exit $code
