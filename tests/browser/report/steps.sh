# The page of a run, as a browser without a network shows it: everything is in the one file, and text is text.
export DENOBRIDGE_INTEGRATIONS=$PWD/integrations.toml
page() {
  "$DENOBRIDGE_TEST_CHROMIUM" --headless --no-sandbox --disable-gpu --proxy-server=127.0.0.1:9 --virtual-time-budget=2000 \
    --dump-dom "file://$(ls "$PWD"/report/*.html)" 2> /dev/null | python3 "$SUPPORT/page.py"
  mv report "$1"
}

step "what was made"
quiet terraform apply -auto-approve -no-color
page made

step "what was denied"
terraform apply -auto-approve -no-color -var 'value=<b>bold</b>' > /dev/null 2>&1 && fail "it was not denied"
page denied
