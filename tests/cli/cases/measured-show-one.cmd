saved measured.json && roofline machines --show this:1 && roofline machines --show this:1 --json | head -8
