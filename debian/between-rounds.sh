# Functions of preinst and prerm. The controller is stopped between rounds only.
UNIT=table-controller.service
STOPPED=/run/table-controller.stopped-by-package
JOURNAL=/var/lib/table-controller/journal.sqlite3
: "${TABLE_CONTROLLER_WAIT:=300}"

say() { echo "table-controller: $*" >&2; }

# What a journal says: "STORES STATE" of its newest version and of the table. A stopped table's file
# is opened as one that nobody changes, so that nothing is written beside it.
journal_says() {
    python3 - "$JOURNAL" <<'END'
import json, os, sqlite3, sys
path = sys.argv[1]
alone = "" if os.path.exists(path + "-wal") else "&immutable=1"
db = sqlite3.connect("file:" + path + "?mode=ro" + alone, uri=True)
stores, state = 0, "closed"
last = db.execute("SELECT body FROM entry WHERE type = 'start' ORDER BY seq DESC LIMIT 1").fetchone()
if last:
    stores = json.loads(last[0]).get("versions", {}).get("stores", 0)
for (body,) in db.execute("SELECT body FROM entry WHERE instr(body, '\"after\"') ORDER BY seq DESC"):
    after = json.loads(body).get("after")
    if isinstance(after, dict) and isinstance(after.get("state"), str):
        state = after["state"]
        break
print(stores, state.removeprefix("held."))
END
}

# $1: a state. Between rounds nothing lies on the table and nobody is owed anything.
between_rounds() {
    case ${1#held.} in
        closed | idle | service*) return 0 ;;
        *) return 1 ;;
    esac
}

# The state of the running table, "" where it does not answer.
state_now() {
    tablectl --json status 2>/dev/null |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["state"])' 2>/dev/null || true
}

# Stops the controller between rounds; 1 where a round has not ended in time, and it plays on.
stop_between_rounds() {
    [ -d /run/systemd/system ] || return 0
    local waited=0 state after
    case $(systemctl show --value --property=ActiveState "$UNIT" 2>/dev/null) in
        active | activating | reloading | deactivating) ;;
        *) return 0 ;;
    esac
    while :; do
        state=$(state_now)
        if between_rounds "$state"; then
            systemctl stop "$UNIT"
            after=$(journal_says) && after=${after#* } || after=
            if between_rounds "$after"; then
                : >"$STOPPED"
                return 0
            fi
            say "a round was opened meanwhile: the controller goes on with it"
            systemctl start "$UNIT"
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
    [ ! -d /run/systemd/system ] || systemctl stop table-controller-nightly.service 2>/dev/null || true
}

# Starts it again where the package has stopped it.
start_again() {
    [ -e "$STOPPED" ] || return 0
    rm -f "$STOPPED"
    systemctl daemon-reload || true
    systemctl start "$UNIT" || say "the controller did not start: 'systemctl status $UNIT'"
}
