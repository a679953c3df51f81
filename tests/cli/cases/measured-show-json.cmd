saved measured.json && roofline machines --show this --json | tail -30
