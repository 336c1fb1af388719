/** Longer lines are cut and marked: one line must not fill the memory. */
export const MAX_LINE_BYTES = 16_384;
const CUT_MARK = ' …';
const NEWLINE = 0x0a;

export type LineSplitter = {
  push(chunk: Uint8Array): void;
  /** The last line has no newline when the writer ended in the middle of it. */
  end(): void;
  /** Bytes taken in that belong to a line which is not told yet. */
  pendingBytes(): number;
};

/** Cuts bytes into lines of text, wherever the chunks happen to be torn. */
export function createLineSplitter(onLine: (line: string) => void): LineSplitter {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let isSkipping = false;

  function tell(mark = ''): void {
    const line = Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    onLine(lineText(line) + mark);
  }

  function take(part: Uint8Array): void {
    if (isSkipping || part.length === 0) return;
    const fitting = part.subarray(0, MAX_LINE_BYTES - pendingBytes);
    // A copy, because the reader may use the chunk's memory again.
    pending.push(Uint8Array.from(fitting));
    pendingBytes += fitting.length;
    if (fitting.length === part.length) return;
    tell(CUT_MARK);
    isSkipping = true;
  }

  return {
    push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, at));
        if (isSkipping) isSkipping = false;
        else tell();
        from = at + 1;
      }
      take(chunk.subarray(from));
    },
    end() {
      if (pendingBytes > 0) tell();
    },
    pendingBytes: () => pendingBytes,
  };
}

/** What a terminal would show: a carriage return starts the line anew. Broken UTF-8 becomes U+FFFD. */
function lineText(line: Uint8Array): string {
  const text = new TextDecoder().decode(line).replaceAll('\0', '').replace(/\r+$/, '');
  return text.slice(text.lastIndexOf('\r') + 1);
}
