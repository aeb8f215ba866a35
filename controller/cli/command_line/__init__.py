"""What is typed: values that are known, the word that was meant, examples, answers."""
