"""``python -m appliance.stores``: the number of what this version stores, for ``preinst``.

Versions before 0.2.0 have none: 0.
"""

import controller

if __name__ == "__main__":
    print(getattr(controller, "STORES", 0))
