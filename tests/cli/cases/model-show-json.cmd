roofline model mixtral-8x7b --show --json --weights int4-g128
