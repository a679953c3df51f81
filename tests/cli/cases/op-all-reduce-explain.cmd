roofline op all-reduce devices=8 bytes=16MB --on h100-sxm --explain
