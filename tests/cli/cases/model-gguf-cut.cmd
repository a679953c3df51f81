roofline model models/tiny.gguf --layers
