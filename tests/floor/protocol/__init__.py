"""What a mirror and a witness are asked."""
