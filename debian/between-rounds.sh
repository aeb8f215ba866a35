# Functions of the maintainer scripts. The controller is stopped between rounds only.
UNIT=table-controller.service
NIGHT=table-controller-nightly.service
STOPPED=/run/table-controller.stopped-by-package
SYSTEMD=/run/systemd/system
PROGRAM=/usr/lib/table-controller
ASIDE=/var/backups/table-controller.by-hand
CONFIGURATION=/etc/table-controller/table.toml
JOURNAL=/var/lib/table-controller/journal.sqlite3
: "${TABLE_CONTROLLER_WAIT:=300}"

say() { echo "table-controller: $*" >&2; }

# Debian's own Python, with nothing of the environment and of the folder that a person stands in.
python() { /usr/bin/python3 -I - "$@"; }

# Sets JOURNAL to where the configuration has it, if it says so.
find_journal() {
    local place
    place=$(python "$CONFIGURATION" 2>/dev/null <<'END'
import os, sys, tomllib
with open(sys.argv[1], "rb") as file:
    place = tomllib.load(file)["state"]["directory"]
print(os.path.join(os.path.dirname(sys.argv[1]), place, "journal.sqlite3"))
END
    ) || return 0
    JOURNAL=$place
}

# What a journal says: "STORES STATE" of its newest version and of the table; 1 and one line of why
# where it says nothing. It is read with the rights of its owner, who can write in it what he likes.
# A stopped table's file is opened as one that nobody changes, so that nothing is written beside it.
journal_says() {
    python "$JOURNAL" <<'END'
import json, os, sqlite3, stat, sys

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
    last = db.execute("SELECT body FROM entry WHERE type = 'start' ORDER BY seq DESC LIMIT 1").fetchone()
    if last:
        stores = json.loads(last[0]).get("versions", {}).get("stores", 0)
        if type(stores) is not int:
            raise ValueError("versions.stores of its last start is not a number")
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
    sys.exit(f"its owner may not read {error.filename}: give the folder, and all in it, to one user")
except Exception as error:
    sys.exit(f"{type(error).__name__}: {error}")
END
}

# $1: a state. Between rounds nothing lies on the table and nobody is owed anything.
between_rounds() {
    case ${1#held.} in
        closed | idle | service*) return 0 ;;
        *) return 1 ;;
    esac
}

# The state of the running table, "" where it does not answer. Asked by the tablectl beside the program
# that runs: PATH may have another one, or none.
state_now() {
    local bin
    bin=$(systemctl show --value --property=ExecStart "$UNIT" 2>/dev/null |
        sed -n 's|^{ path=\([^ ]*\)/table-controller ;.*|\1|p')
    "${bin:-$PROGRAM/.venv/bin}/tablectl" --json status 2>/dev/null |
        /usr/bin/python3 -Ic 'import json, sys; print(json.load(sys.stdin)["state"])' 2>/dev/null || true
}

# Stops the controller between rounds; 1 where a round has not ended in time, and it plays on.
stop_between_rounds() {
    [ -d "$SYSTEMD" ] || return 0
    local waited=0 state after
    case $(systemctl show --value --property=ActiveState "$UNIT" 2>/dev/null) in
        active | activating | reloading | deactivating) ;;
        *) return 0 ;;
    esac
    case $TABLE_CONTROLLER_WAIT in
        *[!0-9]*)
            say "TABLE_CONTROLLER_WAIT is \"$TABLE_CONTROLLER_WAIT\": expected a number of seconds. Nothing was changed."
            return 1
            ;;
    esac
    # Without the journal nobody could tell afterwards that a round was opened while it stopped.
    find_journal
    if ! after=$(journal_says 2>&1); then
        say "the controller runs, and its journal $JOURNAL cannot be read: $after"
        say "Nothing was changed. Stop it by hand between rounds: systemctl stop $UNIT"
        return 1
    fi
    while :; do
        state=$(state_now)
        if between_rounds "$state"; then
            : >"$STOPPED"  # first: whatever ends this script, it is started again
            systemctl stop "$UNIT"
            after=$(journal_says) && after=${after#* } || after=
            ! between_rounds "$after" || return 0
            say "a round was opened meanwhile: the controller goes on with it"
            start_again
        fi
        if [ "$waited" -ge "$TABLE_CONTROLLER_WAIT" ]; then
            say "a round is in progress (${state:-the controller does not answer}). Nothing was changed."
            say "Finish the round and clear it (next), then give the command again;"
            say "TABLE_CONTROLLER_WAIT=SECONDS in the environment waits longer. A controller that does not"
            say "answer is stopped by hand first: systemctl stop $UNIT"
            return 1
        fi
        [ "$waited" = 0 ] &&
            say "a round is in progress (${state:-the controller does not answer}): waiting up to ${TABLE_CONTROLLER_WAIT} s for its end"
        sleep 1
        waited=$((waited + 1))
    done
}

# A night may be cut off anywhere: the next one does what is left. Its program is being exchanged.
stop_the_night() {
    [ ! -d "$SYSTEMD" ] || systemctl stop "$NIGHT" 2>/dev/null || true
}

# Starts it again where the package has stopped it.
start_again() {
    [ -e "$STOPPED" ] || return 0
    systemctl daemon-reload || true
    systemctl start "$UNIT" || say "the controller did not start: 'systemctl status $UNIT'"
    rm -f "$STOPPED"
}
