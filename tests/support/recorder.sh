# An integration that notes down what it is told (recorder.py), declared in this case's integrations.toml. Sourced by cases.
sed -i "s|SUPPORT|$SUPPORT|g" integrations.toml
export DENOBRIDGE_INTEGRATIONS=$PWD/integrations.toml

# What it was told since the last time. What happens side by side comes in no order.
told() {
  [ -e told.jsonl ] || return 0
  python3 "$SUPPORT/told.py" < told.jsonl | grep -E "${1:-.}" | sort | uniq -c | sed 's/^ *//'
  cat told.jsonl >> all.txt
  rm told.jsonl
}
