"""Pictures for people, drawn from the code: tables, files and grammar are asked what they show."""
