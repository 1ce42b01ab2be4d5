"""Messages exactly as native ones: parts of replies, chunks of parts, metadata."""
