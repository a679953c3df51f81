#!/usr/bin/env bash
# formats.sh PROGRAM DOCUMENT: every format that 'roofline profile' reads stands in the document's table.
set -u
missing=0 count=0
while IFS=, read -r id _; do
    count=$((count + 1))
    grep -q "^| \`$id\` |" "$2" || {
        echo "'$id' is not in $2"
        missing=$((missing + 1))
    }
done < <("$1" profile --formats --csv | tail -n +2)
echo "$count formats, $missing missing"
[ "$count" -gt 0 ] && [ "$missing" -eq 0 ]
