roofline model models/net.onnx --on h100-sxm --batch 8
