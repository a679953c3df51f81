echo "{\"id\": 3}" >bad.json && saved bad.json && roofline op dot n=1e8 2>&1 | sed "s|/.*/|.../|; s|[^/]*\.json|HOST.json|"; exit ${PIPESTATUS[0]}
