"""Files read outside the core: rules, what they say in words, media that may not answer."""
