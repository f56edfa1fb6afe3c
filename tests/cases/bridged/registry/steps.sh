# A provider by its address: from a registry, with a signature; then on a machine without network, from a folder.
stack
. "$SUPPORT/registry.sh"
registry acme/time 0.14.2 "$PROGRAMS/terraform-provider-time"

step "from the registry"
quiet pulumi package gen-sdk "$PROGRAMS/pulumi-resource-denobridge" --language yaml --out sdks --non-interactive -- "$host/acme/time" '~> 0.14'
parameter_of sdks | sed -E 's/"zh:[0-9a-f]{64}"/ZIP/g; s/"h1:[^"]*"/FILES/g'
run pu_up

step "added to a project: Pulumi writes the same package, which its host for YAML here cannot link by itself"
mkdir added
printf 'name: added\nruntime: yaml\n' > added/Pulumi.yaml
(cd added && pulumi package add "$PROGRAMS/pulumi-resource-denobridge" --non-interactive -- "$host/acme/time" '~> 0.14' > said.txt 2>&1; find sdks -type f)
same "$(cat added/sdks/time/*.yaml)" "$(cat sdks/yaml/*.yaml)"

step "the cache has the layout of the Go plugin, and what was verified is found again without network"
(cd "$SANDBOX/cache" && find . -name 'terraform-provider-*' | sed "s|$host|HOST|;s|[a-z]*_[a-z0-9]*/terra|PLATFORM/terra|")
platform=$(basename "$(dirname "$(find "$SANDBOX/cache" -name 'terraform-provider-*')")")
archive=terraform-provider-time_0.14.2_$platform.zip
python3 -c 'import ssl, sys, urllib.request as r; sys.stdout.buffer.write(r.urlopen(sys.argv[1], context=ssl.create_default_context(cafile=sys.argv[2])).read())' \
  "https://$host/files/$archive" "$SSL_CERT_FILE" > "$archive"
exec 3>&-
run pu_preview --expect-no-changes

step "another machine, without network"
rm -r "$SANDBOX/cache"
pu_preview 2>&1 | grep -o 'error: .*' | sed 's/os error [0-9]*/os error/' | sort -u

step "and with a folder for a mirror"
mkdir -p "$SANDBOX/mirror/$host/acme/time"
mv "$archive" "$SANDBOX/mirror/$host/acme/time/"
printf 'provider_installation {\n  filesystem_mirror {\n    path = "%s"\n  }\n}\n' "$SANDBOX/mirror" > "$TF_CLI_CONFIG_FILE"
run pu_preview --expect-no-changes
run pu_destroy
