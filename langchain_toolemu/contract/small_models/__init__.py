"""What serves only the smallest models: values that can only be quoted, tools that a question mentions."""
