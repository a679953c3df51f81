printf 'n\0a\0m\0e\0,\0s\0e\0c\0o\0n\0d\0s\0\n\0' >wide.csv; roofline profile wide.csv --on h100-sxm
