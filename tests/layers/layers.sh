# Sourced by the scripts here: the order of the layers (docs/architecture.md) and how a finding is reported.
findings=0

finding() {
    echo "$*"
    findings=$((findings + 1))
}

finish() {
    [ "$findings" -eq 0 ] || {
        echo "$findings findings"
        exit 1
    }
}

# Rooms with one rank are neighbours: neither may know the other.
rank_of() {
    case $1 in
    core) echo 0 ;;
    work | catalog | json) echo 1 ;;
    expect) echo 2 ;;
    advice) echo 3 ;;
    read | measure | chart) echo 4 ;;
    cli) echo 5 ;;
    *) echo unknown ;;
    esac
}

# may_use from to: is `to` the same room or one to the left?
may_use() {
    [ "$1" = "$2" ] || [ "$(rank_of "$2")" -lt "$(rank_of "$1")" ]
}
