roofline ops atention
