roofline model mixtral-8x7b --on mi300x --json
