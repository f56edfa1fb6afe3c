# A package whose scripts change after its SDK was made: what is said, and what goes on.
. "$SUPPORT/infra.sh"
. "$SUPPORT/note.sh"
note "$title, $size" '"title"'
quiet sdk ./notes
stack
quiet pu_up

step "an edit that changes nothing for programs"
echo '// More to come.' >> notes/note.ts
run pu_preview

step "another property, which need not be given"
note "$title, $size, $tags" '"title"'
run pu_preview

step "a property that must be given now"
note "$title, $size, $owner" '"title", "owner"'
run pu_preview

step "another name of a property"
note "$title, length: { type: \"integer\" }" '"title"'
run pu_preview

step "another type"
note "$title, size: { type: \"string\" }" '"title"'
run pu_preview

step "the script is gone"
mv notes elsewhere
run pu_preview
mv elsewhere notes
note "$title, $size" '"title"'

step "more permissions than were recorded"
echo '{"permissions":{"*":["env=HOME"]}}' > notes/denobridge.json
run pu_preview
rm notes/denobridge.json

step "what makes no package"
echo '{"nmae":"notes"}' > notes/denobridge.json
refused sdk ./notes
echo '{"scripts":["other.ts"]}' > notes/denobridge.json
refused sdk ./notes
rm notes/denobridge.json
refused sdk ./nowhere
refused sdk ./notes 1.0.0
refused sdk --name denobridge ./notes
mkdir empty
refused sdk ./empty
echo 'throw new Error("not today");' > empty/broken.ts
refused sdk ./empty

step "destroy"
quiet sdk ./notes
run pu_destroy
