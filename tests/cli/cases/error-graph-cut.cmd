truncate -s 100 models/net.onnx && roofline model models/net.onnx --on h100-sxm --dim batch=1
