roofline model models/bert.json --show
