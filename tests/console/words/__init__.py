"""The words of the pages in each language, and what they have to have words for."""
