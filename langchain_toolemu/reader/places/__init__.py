"""Places in a reply: prose, envelopes, fences and asides. They decide what is read, and let the events out."""
