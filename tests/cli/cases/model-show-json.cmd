roofline model mixtral-8x7b --layers --json --weights int4-g128
