# Ctrl-C: what is being made may come to its end and is recorded; what takes too long is ended and said to be in doubt.
. "$SUPPORT/processes.sh"
interrupt() {
  rm -f begun
  terraform apply -auto-approve -no-color "$@" > out.txt 2>&1 &
  await begun
  kill -INT $!
  wait $!
  # Whether Terraform still says that it is stopping depends on how far it has got.
  sed -n '/Interrupt received/,$p' out.txt | grep -v -e '^Stopping operation' -e '^$'
  nothing_left
}

step "in a creation that ends in time"
interrupt -var ms=1000
terraform show -json | pick '[(r["values"]["id"], r.get("tainted", False)) for r in it["values"]["root_module"]["resources"]]'
on_disk made
quiet terraform destroy -auto-approve -var ms=1000

step "in a creation that does not"
interrupt -var ms=60000
same "$(terraform state list)" ""
