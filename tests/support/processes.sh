# Looking for what a run has left behind. Everything that a case starts has its sandbox in the environment, so other runs
# at the same time are not seen.

# What the script and the provider are and have started in this case. (The brackets keep grep from finding itself.)
mine() {
  local file
  for file in /proc/[0-9]*/environ; do
    local id=${file//[^0-9]/}
    [ "$id" != "$$" ] && [ "$id" != "$BASHPID" ] || continue
    if grep -qzxF "SANDBOX=$SANDBOX" "$file"; then
      tr '\0' ' ' < "/proc/$id/cmdline" && echo
    fi
  done 2> /dev/null | grep -E '[d]eno run|[t]erraform-provider|[s]leep 600|[r]ecorder\.py'
}

# Fails unless everything is gone within a second, or within so many.
nothing_left() {
  for _ in $(seq $((20 * ${1:-1}))); do
    [ -n "$(mine)" ] || return 0
    sleep 0.05
  done
  mine >&2
  fail "left behind"
}
