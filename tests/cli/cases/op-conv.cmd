roofline op conv in=3 out=64 h=224 w=224 kh=7 kw=7 stride=2 padding=3 batch=32 --on a100-sxm-80
