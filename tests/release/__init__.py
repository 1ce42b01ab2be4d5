"""The built package, tried as a stranger would: installed into empty environments."""
