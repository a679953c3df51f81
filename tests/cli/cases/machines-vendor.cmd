roofline machines --vendor amd
