roofline measure --quick --thorough
