# What the Go bridge logs of a provider in a real run, `denobridge replay` reads and plays.
. "$SUPPORT/peers.sh"
mkdir "$SANDBOX/cloud"
for provider in everything classic; do
  step "a log of $provider"
  ln -s "$PROGRAMS/terraform-provider-$provider" .
  rm -rf sdks
  quiet pulumi package gen-sdk "$PROGRAMS/pulumi-resource-terraform-provider" --language yaml --out sdks -- "./terraform-provider-$provider"
  # A Go bridge that somebody has built has this version; Pulumi warns of an older one than the SDK asks for.
  sed -i 's/^version: .*/version: 0.0.0-dev/' sdks/*/*.yaml
  cp "$provider.yaml" Pulumi.yaml
  quiet pulumi stack init "$provider" --non-interactive
  quiet pulumi config set "$provider:folder" "$SANDBOX/cloud"
  export PULUMI_TF_DEBUG_GRPC="$SANDBOX/$provider.log"
  with_go pu_up
  sed -i 's/size: 1/size: 2/' Pulumi.yaml
  with_go pu_up
  with_go pu_refresh
  with_go pu_destroy
  unset PULUMI_TF_DEBUG_GRPC
  # Resources are worked on at the same time.
  run env -i "$PROGRAMS/denobridge" replay "$SANDBOX/$provider.log" >played.txt
  sed 's/(of what.*//' played.txt | sort | uniq -c
done
