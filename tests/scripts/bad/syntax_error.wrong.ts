// deno-lint-ignore-file
// deno-fmt-ignore-file
export const broken = {;
