roofline models --family nothere
