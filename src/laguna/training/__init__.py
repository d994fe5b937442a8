"""Networks that learn the games by playing against themselves: `laguna train`, docs/training.md."""
