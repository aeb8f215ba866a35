"""The usb bench: as the virtual one, but with the real libusb on a kernel that umockdev plays."""
