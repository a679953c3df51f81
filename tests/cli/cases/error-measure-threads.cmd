roofline measure --threads 0
