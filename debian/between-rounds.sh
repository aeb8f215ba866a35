# Functions of the maintainer scripts. The controller is stopped between rounds only.
UNIT=table-controller.service
NIGHT=table-controller-nightly
STOPPED=/run/table-controller.stopped-by-package
NIGHT_STOPPED=/run/table-controller.night-stopped-by-package
LINK_ASIDE=/run/table-controller.link-put-aside
SYSTEMD=/run/systemd/system
PROGRAM=/usr/lib/table-controller
UNITS=/etc/systemd/system
ASIDE=/var/backups/table-controller.by-hand
CONFIGURATION=/etc/table-controller/table.toml
JOURNAL=/var/lib/table-controller/journal.sqlite3
SOCKET=/run/table-controller/control.sock
: "${TABLE_CONTROLLER_WAIT:=300}"

say() { echo "table-controller: $*" >&2; }

# Debian's own Python, with nothing of the environment and of the folder that a person stands in.
python() { /usr/bin/python3 -I - "$@"; }

# Sets JOURNAL and SOCKET to where the configuration has them, if it says so; 1, said, where there is
# one that cannot be read: what is elsewhere would not be found.
find_places() {
    local told state socket
    [ -e "$CONFIGURATION" ] || [ -L "$CONFIGURATION" ] || return 0
    [ -x /usr/bin/python3 ] || return 0  # a first installation, which brings it
    if ! told=$(python "$CONFIGURATION" 2>/dev/null <<'END'
import os, sys, tomllib
try:
    with open(sys.argv[1], "rb") as file:
        told = tomllib.load(file)
    for section, key, last in ("state", "directory", "journal.sqlite3"), ("control", "socket", ""):
        place = told.get(section, {}).get(key)
        print(place and os.path.join(os.path.dirname(sys.argv[1]), place, last).rstrip("/") or "")
except Exception as error:
    print(f"{type(error).__name__}: {error}")
    sys.exit(1)
END
    ); then
        say "$CONFIGURATION cannot be read: $told"
        say "Nothing was changed. 'tablectl config check $CONFIGURATION' says more."
        return 1
    fi
    state=$(printf '%s\n' "$told" | sed -n 1p)
    socket=$(printf '%s\n' "$told" | sed -n 2p)
    JOURNAL=${state:-$JOURNAL}
    SOCKET=${socket:-$SOCKET}
}

# What a journal says: "STORES STATE" of its newest version and of the table, "other STATE" where it is
# not of format 1; 1 and one line of why where it says nothing, both on standard output: anything may
# write on the other. It is read with the rights of its owner, who can write in it what he likes. A
# stopped table's file is opened as one that nobody changes, so that nothing is written beside it.
journal_says() {
    python "$JOURNAL" <<'END'
import json, os, sqlite3, stat, sys

def versions(body):
    found = json.loads(body).get("versions", {})
    return found if isinstance(found, dict) else {}

def told(path):
    owner = os.lstat(path)
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(owner.st_gid)
        os.setuid(owner.st_uid)
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise ValueError("not a file")
    alone = "" if os.path.exists(path + "-wal") else "&immutable=1"
    place = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    db = sqlite3.connect("file:" + place + "?mode=ro" + alone, uri=True)
    stores, state = 0, "closed"
    for kind in "start", "snapshot":  # the latter, where nobody has started since one was closed
        last = db.execute("SELECT body FROM entry WHERE type = ? ORDER BY seq DESC LIMIT 1", (kind,)).fetchone()
        if last:
            stores = versions(last[0]).get("stores", 0)
            if type(stores) is not int:
                raise ValueError(f"versions.stores of its last {kind} is not a number")
            break
    first = db.execute("SELECT body FROM entry ORDER BY seq LIMIT 1").fetchone()
    if first and versions(first[0]).get("format") != 1:  # as controller/journal/schema.py has it
        stores = "other"
    for (body,) in db.execute("SELECT body FROM entry WHERE instr(body, '\"after\"') ORDER BY seq DESC"):
        body = json.loads(body)
        after = body.get("after") if isinstance(body, dict) else None
        if isinstance(after, dict) and isinstance(after.get("state"), str):
            state = after["state"]
            break
    return stores, state.removeprefix("held.")

try:
    print(*told(sys.argv[1]))
except PermissionError as error:
    print(f"its owner may not read {error.filename}: give the folder, and all in it, to one user")
    sys.exit(1)
except Exception as error:
    print(f"{type(error).__name__}: {error}")
    sys.exit(1)
END
}

# $1: a state. Between rounds nothing lies on the table and nobody is owed anything.
between_rounds() {
    case ${1#held.} in
        closed | idle | service*) return 0 ;;
        *) return 1 ;;
    esac
}

# Whether the journal says that of the table.
stored_between_rounds() {
    local says
    says=$(journal_says 2>/dev/null) && between_rounds "${says#* }"
}

# The state of the running table, "" where it does not answer. Asked by the tablectl beside the program
# that runs: PATH may have another one, or none.
state_now() {
    local bin
    bin=$(systemctl show --value --property=ExecStart "$UNIT" 2>/dev/null |
        sed -n 's|^{ path=\([^ ]*\)/table-controller ;.*|\1|p')
    timeout 20 "${bin:-$PROGRAM/.venv/bin}/tablectl" --socket "$SOCKET" --json status 2>/dev/null |
        /usr/bin/python3 -Ic 'import json, sys; print(json.load(sys.stdin)["state"])' 2>/dev/null || true
}

# Sets ACTIVE to what systemd says of the controller; 1, said, where it does not say it.
look() {
    ACTIVE=$(systemctl show --value --property=ActiveState "$UNIT" 2>/dev/null) || ACTIVE=
    [ -z "$ACTIVE" ] || return 0
    if systemd-detect-virt --quiet --chroot; then
        ACTIVE=inactive  # what runs is another system's
        return 0
    fi
    say "systemd does not say whether the controller runs. Nothing was changed."
    return 1
}

# One that has failed is tried once more when this is through, for that may have mended it.
try_it_again() {
    ! systemctl is-enabled --quiet "$UNIT" 2>/dev/null || : >"$STOPPED"
}

seconds() { cut -d. -f1 /proc/uptime; }

# Stops the controller between rounds; 1 where a round has not ended in time, and it plays on.
stop_between_rounds() {
    [ -d "$SYSTEMD" ] || return 0
    local state says by opened='' told=''
    look
    case $ACTIVE in
        inactive) return 0 ;;
        failed) try_it_again; return 0 ;;
    esac
    case $TABLE_CONTROLLER_WAIT in
        *[!0-9]* | ??????* | 0?*)
            say "TABLE_CONTROLLER_WAIT is \"$TABLE_CONTROLLER_WAIT\": expected a number of seconds. Nothing was changed."
            return 1
            ;;
    esac
    # Without the journal nobody could tell afterwards that a round was opened while it stopped.
    find_places
    if ! says=$(journal_says 2>/dev/null); then
        say "the controller runs, and its journal $JOURNAL cannot be read: $says"
        say "Nothing was changed. Stop it by hand between rounds: systemctl stop $UNIT"
        return 1
    fi
    by=$(($(seconds) + TABLE_CONTROLLER_WAIT))
    while :; do
        state=$(state_now)
        if between_rounds "$state"; then
            : >"$STOPPED"  # first: whatever ends this script, it is started again
            systemctl stop "$UNIT"
            ! stored_between_rounds || return 0
            say "a round was opened meanwhile: the controller goes on with it"
            start_again
            if [ -e "$STOPPED" ] || [ -n "$opened" ]; then
                say "Nothing was changed. Give the command again when nobody is about to open a round."
                return 1
            fi
            opened=yes
        fi
        if [ "$(seconds)" -ge "$by" ]; then
            say "a round is in progress (${state:-the controller does not answer}). Nothing was changed."
            say "Finish the round and clear it (next), then give the command again;"
            say "TABLE_CONTROLLER_WAIT=SECONDS in the environment waits longer. A controller that does not"
            say "answer is stopped by hand first: systemctl stop $UNIT"
            return 1
        fi
        [ -n "$told" ] ||
            say "a round is in progress (${state:-the controller does not answer}): waiting up to ${TABLE_CONTROLLER_WAIT} s for its end"
        told=yes
        sleep 1
        look
        case $ACTIVE in
            inactive) return 0 ;;  # somebody has stopped it by hand, as is advised above
            failed)
                if stored_between_rounds; then
                    try_it_again
                    return 0
                fi
                ;;
        esac
    done
}

# A night may be cut off anywhere: the next one does what is left. Its program is being exchanged, so
# none begins meanwhile.
stop_the_night() {
    [ -d "$SYSTEMD" ] || return 0
    ! systemctl is-active --quiet "$NIGHT.timer" 2>/dev/null || : >"$NIGHT_STOPPED"
    systemctl stop "$NIGHT.timer" "$NIGHT.service" 2>/dev/null || true
}

# Starts again what the package has stopped, or what had failed. Where it does not start, the next
# attempt of the package tries it once more.
start_again() {
    if [ -e "$NIGHT_STOPPED" ]; then
        systemctl start "$NIGHT.timer" || say "nothing is verified by night: the timer did not start"
        rm -f "$NIGHT_STOPPED"
    fi
    [ -e "$STOPPED" ] || return 0
    systemctl daemon-reload || true
    systemctl reset-failed "$UNIT" 2>/dev/null || true
    if systemctl start "$UNIT"; then
        rm -f "$STOPPED"
    else
        say "the controller did not start: 'systemctl status $UNIT'"
    fi
}
