# Scripts are moved together with the project whose SDK was made of them: by what the SDK keeps, they are found again.
. "$SUPPORT/infra.sh"
. "$SUPPORT/note.sh"
# Pulumi keeps which stack is selected by the folder of the project.
selected() { quiet pulumi stack select dev; }
kept() { parameter_of sdks | pick 'it["script"]'; }
note "$title, $size" '"title"'
mkdir "$SANDBOX/here"
mv Pulumi.yaml notes "$SANDBOX/here"
cd "$SANDBOX/here"

step "in the project: the SDK says where they are from there, however they were named"
quiet sdk "$PWD/notes"
kept
stack
run pu_up

step "the project elsewhere"
mkdir -p "$SANDBOX/there/deep"
mv "$SANDBOX/here" "$SANDBOX/there/deep/project"
cd "$SANDBOX/there/deep/project"
selected
run pu_preview --expect-no-changes
sed -i 's/size: 1/size: 2/' Pulumi.yaml
run pu_up

step "from a folder inside of the project"
mkdir inside
cd inside
run pu_preview --expect-no-changes
run pu_up --refresh
cd ..

step "a change of the scripts there is seen"
note "$title, $size, $tags" '"title"'
run pu_preview

step "beside the project, both elsewhere"
mv notes ..
quiet sdk ../notes
kept
run pu_preview --expect-no-changes
mv "$SANDBOX/there" "$SANDBOX/everywhere"
cd "$SANDBOX/everywhere/deep/project"
selected
run pu_preview --expect-no-changes

step "the project without them"
mv "$SANDBOX/everywhere/deep/project" "$SANDBOX/alone"
cd "$SANDBOX/alone"
selected
refused pu_preview

step "the SDK made anew of where they are now"
quiet sdk "$SANDBOX/everywhere/deep/notes"
run pu_preview --expect-no-changes
refused pu_destroy
run pu_preview_refresh --run-program
run pu_up
run pu_destroy
