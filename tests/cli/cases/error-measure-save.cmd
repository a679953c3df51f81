roofline measure --save a.json --no-save
