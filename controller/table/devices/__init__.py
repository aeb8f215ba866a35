"""What is known of each device, and what its link and its events say."""
