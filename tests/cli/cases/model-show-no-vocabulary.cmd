roofline model no-vocabulary.gguf --layers
