"""What many people need: unit costs measured here, and a simulation of load and waiting."""
