roofline measure --replace --keep-best
