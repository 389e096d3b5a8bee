"""JSON Schema as regular languages over the bytes of one spelling of JSON, one family of keywords a file."""
