roofline model models/net.onnx --dim batch=8 --layers
