roofline profile notes.txt --on h100-sxm
