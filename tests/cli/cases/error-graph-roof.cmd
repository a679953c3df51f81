roofline model models/net.onnx --on tpu-v5e --dim batch=1
