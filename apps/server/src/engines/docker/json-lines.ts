/** Parses a stream of JSON objects, one per line. Throws the error of an aborted stream. */
export async function* jsonLines<Line>(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as Line;
  }
  if (rest.trim() !== '') yield JSON.parse(rest) as Line;
}
