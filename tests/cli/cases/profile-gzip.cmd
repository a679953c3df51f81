gzip -c profiles/comma.csv | roofline profile - --on a100-sxm-80 --csv
