roofline op attention batch=8 heads=32 kv_heads=8 q_len=1 kv_len=4096 qk_width=128 causal --on h100-sxm
