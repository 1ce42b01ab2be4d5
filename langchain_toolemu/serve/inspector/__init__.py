"""The inspector: the last turns of a gateway, as a page shows them while they run."""
