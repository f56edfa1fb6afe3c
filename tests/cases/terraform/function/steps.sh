# Functions of scripts: called without a configured provider, with values of every kind, and what goes wrong.
record_traffic
step "values, and arguments that are known at apply only"
run tf_apply | sed 's/\[id=[-0-9a-f]*\]/[id=…]/'

step "nothing changes"
run tf plan -detailed-exitcode

step "what goes wrong"
wrong() {
  echo "-- $*"
  tf plan "$@" > said
  sed -n '/^Error/,$p' said | head -22
}
wrong -var function=nosuch
wrong -var function=home
wrong -var function=port -var argument=70000
wrong -var script=../scripts/nosuch.ts
wrong -var script=../scripts/echo.ts
wrong -var script=../scripts/bad/throws_at_start.ts

step "and without Deno"
DENOBRIDGE_DENO=/nonexistent/other wrong
