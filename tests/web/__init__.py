"""What pages share, over real sockets."""
