# Settings that are wrong or dangerous are told with what to do about them.
brief() { tf plan "$@" | sed -n '/^\(Error\|Warning\):/,$p'; }

step "no script"
brief -var path=

step "a program that is no Deno"
printf '#!/bin/sh\necho v22.1.0\n' > node
chmod +x node
# On one line: where lines are broken depends on the folder's name.
one_line() { brief "$@" | tr -s '\n ' ' ' && echo; }
one_line -var deno=./node
DENOBRIDGE_DENO=./node one_line

step "a folder, and nothing at all"
brief -var deno=.
brief -var deno=no-such-program

step "permissions that amount to all"
brief -var 'allow=["read", "run"]'
brief -var 'allow=["write", "run=git"]'
brief -var 'allow=["write", "net"]'
