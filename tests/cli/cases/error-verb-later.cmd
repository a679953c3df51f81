roofline measure
