"""Commissioning: devices found and tried, files proposed and written, the machine tested."""
