"""What a witness and a mirror are asked, and what they answer (C2SP tlog-witness, tlog-mirror):
functions of what came and what is held, without input or output."""
