roofline model models/tiny.gguf --show
