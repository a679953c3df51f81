roofline profile --formats --csv | head -1; roofline profile --formats --csv | grep ^csv,
