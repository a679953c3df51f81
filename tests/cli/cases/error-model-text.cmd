roofline model notes.txt --on h100-sxm
