roofline measure now
