saved measured.json && roofline machines --show this --chart | head -24
