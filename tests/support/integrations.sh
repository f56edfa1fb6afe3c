# The five integrations of examples/integrations, declared in this case's integrations.toml. Sourced by cases.

# A channel that notes down what it is told, one line for each message.
python3 "$SUPPORT/channel.py" channel.txt > port.txt &
channel=$!
trap 'kill $channel' EXIT
until [ -s port.txt ]; do sleep 0.1; done

sed -i "s|PROJECT|$PROJECT|g; s|PORT|$(cat port.txt)|g" integrations.toml
export DENOBRIDGE_INTEGRATIONS=$PWD/integrations.toml

# What integrations have said since the last time, with what became of it, but for what nobody objected to.
said() {
  mkdir -p read
  [ -d report ] && find report -name '*.jsonl' -exec mv {} read/ \;
  cat read/*.jsonl 2> /dev/null | python3 "$SUPPORT/said.py"
  # Kept for the harness, which holds what was told against the protocol's schema.
  mkdir -p kept
  find read -name '*.jsonl' -exec mv {} kept/ \;
}

# What the channel was told since the last time.
told() {
  [ -f channel.txt ] && cat channel.txt
  rm -f channel.txt
}

audit() { python3 "$PROJECT/examples/integrations/audit/audit.py" "$@"; }
