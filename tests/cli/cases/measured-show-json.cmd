saved measured.json && roofline machines --show this --json | tail -30 | sed "s|\"$(measure_host cpu)\"|\"Test CPU\"|"
