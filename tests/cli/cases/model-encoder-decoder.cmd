roofline model models/whisper.json --on h100-sxm --source 500,1500 --batch 8
