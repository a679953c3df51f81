roofline measure -h
