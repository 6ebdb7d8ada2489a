"""The calls that the suites make: valid ones, strided in every way, and bad ones. Shared by the devices."""
