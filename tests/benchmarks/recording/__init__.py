"""Records what a real model writes when it is asked for calls in text: the samples that the reader is held to."""
