printf "model,metric,batch,prompt,seconds\nllama-3.1-8b,prefil,1,1024,0.1\n" >bad.csv; roofline calibrate bad.csv --on h100-sxm --engine vllm
