mkdir two && cp models/tiny.gguf two/b.gguf && cp models/tiny.gguf two/a.gguf && roofline model two --layers
