"""Mistakes that firmware is made with, planted into twins, and the runs that must find each."""
