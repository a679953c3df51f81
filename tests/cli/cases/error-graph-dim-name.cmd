roofline model models/net.onnx --on h100-sxm --dim rows=3 --dim batch=1
