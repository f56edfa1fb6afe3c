# Ctrl-C and SIGTERM in the middle of a creation: what it makes is deleted again, or kept in the state file.
. "$SUPPORT/processes.sh"
interrupt() {
  local signal=$1
  rm -f begun
  shift
  denobridge try ../scripts/slow.ts --allow-all --props '{"ms": 1000}' "$@" > out.txt 2>&1 &
  await begun
  kill "-$signal" $!
  wait $!
  sed -n '/interrupted/,$p' out.txt
  nothing_left
}
for signal in INT TERM; do
  step "$signal in a whole life"
  interrupt "$signal"
  on_disk made
done
step "with a state file"
interrupt INT --state state.json
on_disk made
quiet denobridge try ../scripts/slow.ts --allow-all --state state.json --destroy
on_disk made state.json
