/** Splits a stream of bytes into lines, wherever its chunks end. */
export type LineSplitter = {
  /** The lines that this chunk completes. */
  push(chunk: Uint8Array): string[];
  /** The last line, if it has no line break. */
  end(): string[];
};

export function createLineSplitter(): LineSplitter {
  const decoder = new TextDecoder();
  let rest = '';
  return {
    push(chunk) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      return lines.map(withoutCarriageReturn);
    },
    end() {
      const last = rest + decoder.decode();
      rest = '';
      return last === '' ? [] : [withoutCarriageReturn(last)];
    },
  };
}

function withoutCarriageReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
