for sums in no yes; do roofline op gemm m=4096 n=4096 k=4096 dtype=f16 f16_accumulate=$sums --on rtx-4090 --csv | cut -d, -f1,12-; done
