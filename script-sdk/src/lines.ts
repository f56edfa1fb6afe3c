/**
 * Lines of text in a stream of bytes.
 *
 * @module
 */

/** The lines of a stream, each as soon as it is complete, without its end. */
export async function* lines(
  readable: ReadableStream<Uint8Array>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // A message may be large and come in many pieces: they are put together
  // once, when its end has come.
  let begun: string[] = [];
  for await (const chunk of readable) {
    const [rest, ...further] = decoder.decode(chunk, { stream: true }).split(
      "\n",
    );
    begun.push(rest);
    for (const next of further) {
      yield withoutReturn(begun.join(""));
      begun = [next];
    }
  }
  const last = withoutReturn(begun.join("") + decoder.decode());
  if (last !== "") yield last;
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
