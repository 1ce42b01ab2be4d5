"""What is language, one file for each: everything that a change of words touches."""
