CREATE TABLE IF NOT EXISTS test (
  n_gen INTEGER,
  avg_ts REAL
);

INSERT INTO test (model_type, n_prompt, n_gen, avg_ns, avg_ts) VALUES ('it''s', '128', '0', '1280000000', '100.0');
