"""The devices of a running table: their links, what is known of each, and who commands them."""
