printf "model,weights,metric,batch,context,seconds\nllama-3.1-8b,q9_z,decode,1,512,0.0055\n" >odd.csv; roofline calibrate odd.csv --on h100-sxm --engine vllm
