roofline --batch 3 model
