roofline modle
