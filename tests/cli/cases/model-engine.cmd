roofline model llama-3.1-8b --on l40s --engine unknown --phase decode
