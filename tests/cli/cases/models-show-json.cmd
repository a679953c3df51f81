roofline models --show gpt-oss-20b --json
