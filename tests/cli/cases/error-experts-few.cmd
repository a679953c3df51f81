roofline model mixtral-8x7b --on h100-sxm --tensor 2 --experts-touched 1
