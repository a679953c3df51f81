roofline -h
