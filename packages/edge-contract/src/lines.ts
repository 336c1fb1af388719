/** One message per line. JSON contains no line breaks. */
export function toLine(message: object): string {
  return `${JSON.stringify(message)}\n`;
}

/** Splits a stream of bytes into lines. `read` returns undefined once a line was too long, and forever after. */
export type LineReader = {
  read(chunk: Buffer): string[] | undefined;
  /** For a peer that was identified meanwhile. */
  allow(maxBytes: number): void;
};

const LINE_FEED = 10;

export function createLineReader(limit: number): LineReader {
  let maxBytes = limit;
  let parts: Buffer[] = [];
  let bytes = 0;
  let isTooLong = false;

  function endLine(part: Buffer): string {
    const line = parts.length === 0 ? part : Buffer.concat([...parts, part]);
    parts = [];
    bytes = 0;
    return line.toString('utf8');
  }

  return {
    allow(larger) {
      maxBytes = larger;
    },
    read(chunk) {
      const lines: string[] = [];
      let start = 0;
      while (start < chunk.length && !isTooLong) {
        const end = chunk.indexOf(LINE_FEED, start);
        const part = chunk.subarray(start, end === -1 ? chunk.length : end);
        isTooLong = bytes + part.length > maxBytes;
        if (isTooLong) break;
        start += part.length + 1;
        if (end !== -1) lines.push(endLine(part));
        else {
          parts.push(part);
          bytes += part.length;
        }
      }
      if (!isTooLong) return lines;
      parts = [];
      return undefined;
    },
  };
}
