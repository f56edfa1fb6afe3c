# Ctrl-C while a script works, and an engine that is killed.
stack
begin() {
  rm -f started
  pulumi up --yes --skip-preview --non-interactive --color never > said.txt 2>&1 &
  engine=$!
  await started
}
# Processes of ours and scripts that run in this folder.
left() {
  for process in /proc/[0-9]*; do
    if [ "$(readlink "$process/cwd" 2>/dev/null)" = "$PWD" ]; then
      tr '\0' ' ' < "$process/cmdline" 2>/dev/null | grep -o 'pulumi-resource-denobridge\|slow\.ts'
    fi
  done
}

step "Ctrl-C"
begin
kill -INT "$engine"
wait "$engine"
echo "exit code $?"
grep '^    error: provider' -A 4 said.txt
sleep 1
same "$(left)" "" "left after Ctrl-C"

step "killed"
begin
kill -KILL "$engine"
sleep 1
same "$(left)" "" "left after a kill"
wait "$engine" 2>/dev/null
echo "nothing is left"
