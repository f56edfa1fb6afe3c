# Sourced by cases about recordings of a whole life under Pulumi. From here on everything is recorded, until `record_no_more`.
. "$SUPPORT/processes.sh"
record() { export DENOBRIDGE_RECORD="$SANDBOX/run.jsonl"; }
record_no_more() {
  unset DENOBRIDGE_RECORD
  nothing_left
}

# Says that the recording is its owner's, and fails if one of the texts is in it.
without_secrets() {
  stat -c 'mode %a' "$SANDBOX/run.jsonl"
  local secret
  for secret in "$@"; do nowhere "$secret" "$SANDBOX/run.jsonl"; done
}

# Plays a recording where there is no environment.
replay() { env -i "$PROGRAMS/denobridge" replay "$1"; }

# Plays the recording, and prints what was played of the life of resources. They are worked on at the same time, and providers
# are asked more than once for the same.
played() {
  replay "$SANDBOX/run.jsonl" >all.txt
  same "$?" 0 "$(cat all.txt)"
  grep -oE 'same +[A-Z].*::.*' all.txt | grep -v pulumi:providers: | sort | uniq -c
  grep -q ' 0 different$' all.txt || fail "$(cat all.txt)"
}

# Plays the recording with a substitution in some of its lines, and prints what is told of it.
played_with() {
  sed "$1" "$SANDBOX/run.jsonl" >other.jsonl
  cmp -s "$SANDBOX/run.jsonl" other.jsonl && fail "nothing was changed"
  refused replay other.jsonl >other.txt
  sed -n '/^  different /,+1p' other.txt | sort -u
}
