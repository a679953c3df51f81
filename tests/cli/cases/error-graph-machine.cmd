roofline model models/net.onnx --dim batch=1
