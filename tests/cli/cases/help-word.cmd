roofline help op
