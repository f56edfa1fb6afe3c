# Providers of one name from two namespaces, one of which gets a name of its own as a package, and one with a hyphen in its
# name, in one stack. Each comes from its own place and stays what it is.
stack
binary=$PROGRAMS/terraform-provider-time
. "$SUPPORT/registry.sh"
registry acme/time 0.14.2 "$binary" other/time 0.14.1 "$binary" acme/my-time 1.0.0 "$binary"
add() { quiet pulumi package gen-sdk "$PROGRAMS/pulumi-resource-denobridge" --language yaml --out "sdks/$1" --non-interactive -- "${@:2}"; }
add first "$host/acme/time"
add second "$host/other/time" --provider-name other-time
add third "$host/acme/my-time"

step "three packages"
for sdk in first second third; do
  parameter_of "sdks/$sdk" | sed -E "s/\"zh:[0-9a-f]{64}\"/ZIP/g; s/\"h1:[^\"]*\"/FILES/g; s/$host/HOST/"
done

step "one stack"
run pu_up
run pu_preview --expect-no-changes
exported | pick 'sorted({one["type"] for one in it["resources"]})'
(cd "$SANDBOX/cache" && find . -name 'terraform-provider-*' | sed "s|$host|HOST|;s|[a-z]*_[a-z0-9]*/terra|PLATFORM/terra|" | sort)
run pu_destroy
