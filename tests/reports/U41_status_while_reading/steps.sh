# A provider that answers a read with a status, with nothing and by a crash: the object is not taken to be gone.
. "$SUPPORT/report.sh"
provider
faults() {
  for fault in '{"status": {"code": 13, "message": "the database is on fire"}}' '{"status": {"code": 2, "message": "no idea"}}' '{"exit": 3}'; do
    printf -- '-- %s\n' "$fault"; with_fault ReadResource "$fault"; "$1"
  done
}
tf_fault() { tf_preview | plugin_gone; }
under_terraform
tf_up
faults tf_fault
provider
tf_preview
under_pulumi
pu_up
faults pu_refresh
provider
pu_preview
pu_refresh
