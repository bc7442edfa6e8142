"""Named SPARQL: one question a file, run by name with typed parameters."""
