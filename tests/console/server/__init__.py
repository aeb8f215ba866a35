"""The console's server, by HTTP, beside a real daemon."""
