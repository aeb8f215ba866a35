"""What happens to the machine under the table: power, clock, medium, key, and its setting up."""
