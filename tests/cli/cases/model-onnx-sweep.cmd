roofline model models/net.onnx --on h100-sxm,mi300x --dim batch=1..64*8 --dtype bf16
