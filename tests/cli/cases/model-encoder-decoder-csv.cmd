roofline model models/whisper.json --on h100-sxm --csv
