# Sixteen processes that start at once on a machine without Deno, which a mirror on this machine has.
tag=v$(deno --version | sed -n 's/^deno \([^ ]*\).*/\1/p')
archive=deno-$(deno eval --quiet 'console.log(Deno.build.target)').zip
mkdir -p "mirror/$tag" "$SANDBOX/bin"
python3 -c '
import sys, zipfile
with zipfile.ZipFile(sys.argv[2], "w") as archive:
    archive.write(sys.argv[1], "deno")' "$(readlink -f "$PROGRAMS/deno")" "mirror/$tag/$archive"
(cd "mirror/$tag" && sha256sum "$archive" > "$archive.sha256sum")
echo "$tag" > mirror/release-latest.txt
python3 -u -m http.server --bind 127.0.0.1 --directory mirror 0 > serving 2> requests &
server=$!
trap 'kill "$server" 2> /dev/null' EXIT
until grep -q "port [0-9]" serving; do
  kill -0 "$server" 2> /dev/null || fail "the mirror has not started"
  sleep 0.05
done
export DENOBRIDGE_DENO_MIRROR=http://127.0.0.1:$(sed -n 's/.*port \([0-9]*\) .*/\1/p' serving)
ln -s "$(readlink -f "$PROGRAMS/denobridge")" "$SANDBOX/bin/denobridge"
export PATH=$SANDBOX/bin:${PATH#"$PROGRAMS":}
same_everywhere() { sed "s|$tag|[TAG]|g; s|$archive|[ARCHIVE]|g; s|[0-9a-f]\{64\}|[SHA-256]|g"; }
ask() { denobridge try "$SCRIPTS/answers.ts" --kind datasource --props "{\"number\": $1}" 2>&1; }
error() { ask 1 | sed -n '/^error/,/^  \(Without\|Nothing of it\)/p' | same_everywhere; }

step "sixteen at once, and one download"
export DENOBRIDGE_CACHE=$SANDBOX/cache
started=()
for number in {1..16}; do
  ask "$number" > "said.$number" &
  started+=($!)
done
for process in "${started[@]}"; do wait "$process" || echo "one has failed"; done
grep -lF 'number\":' said.* | wc -l
grep -c "GET .*zip HTTP" requests
ls -A "$SANDBOX/cache/deno" | same_everywhere

step "doctor knows it"
denobridge doctor | sed -n 's/^\(.... *Deno  *\).*cache/\1[CACHE]/p' | same_everywhere

step "what is damaged on its way is not kept"
export DENOBRIDGE_CACHE=$SANDBOX/other
sed -i 's/^...../00000/' "mirror/$tag/$archive.sha256sum"
error
ls -A "$SANDBOX/other/deno" | same_everywhere

step "nobody there"
kill "$server"
wait "$server" 2> /dev/null
error

step "what is there needs no network"
DENOBRIDGE_CACHE=$SANDBOX/cache ask 17 | grep -cF 'number\":17'

step "doctor without a Deno"
denobridge doctor | sed -n '/^.... *Deno  /,/^.... *Deno.s cache/p' | same_everywhere
