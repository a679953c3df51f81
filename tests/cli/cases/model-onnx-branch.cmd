roofline model models/branch.onnx --on h100-sxm --dim rows=128
