roofline model models/net.onnx --on h100-sxm --dim batch=8 --engine eager
