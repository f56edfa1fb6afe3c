# Sourced by cases about scripts for the Go provider's library. Copies some of them into the case's folder, beside an import map
# that leads to ours.
cp -R "$PROJECT/script-sdk" "$SANDBOX"
cp ../script-sdk/tests/peer/{resource,datasource,lease,action}.ts .
cat > deno.json <<'END'
{ "imports": { "@brad-jones/terraform-provider-denobridge": "../script-sdk/compat.ts" } }
END
