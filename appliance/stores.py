"""``python -m appliance.stores``: the number of what this version stores, for ``preinst``."""

from controller import STORES

if __name__ == "__main__":
    print(STORES)
