roofline model models/net.onnx --on h100-sxm --dim batch=64 -o c.svg --csv >a.csv && grep -o "<desc[^>]*>.*" c.svg | head -40
