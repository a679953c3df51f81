roofline model models/bert.json --layers
