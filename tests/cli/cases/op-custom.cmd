roofline op custom flops=1e12 bytes=3GB --on h100-sxm --dtype fp8
