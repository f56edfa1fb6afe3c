# What is done where the cache is on a disk of its own.
cache=$PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR
host=$(cat "$SANDBOX/registry/host")
schema() { pulumi package get-schema "$PROGRAMS/pulumi-resource-denobridge" -- "$host/acme/time"; }
said() { refused schema | grep -o "error: .*" | sed "s#/\.[a-z0-9_]*-[^/]*/#/ASIDE/#"; }
left() { find "$cache" -type f ! -name '*.lock' -printf 'left behind: %P\n' | sed "s|$host|HOST|"; }
mount -t tmpfs -o size=1m none "$cache"

step "no room for the archive"
said
left

step "no room for what is in it"
mount -o remount,size=12m "$cache"
said
left

step "room enough"
mount -o remount,size=64m "$cache"
schema | pick 'len(it["resources"])'
