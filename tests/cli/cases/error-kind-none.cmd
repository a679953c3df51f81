roofline op
