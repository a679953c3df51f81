saved measured.json && roofline machines --show this
