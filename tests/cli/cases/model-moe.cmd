roofline model mixtral-8x7b --on mi300x --batch 1,16,128 --ops
