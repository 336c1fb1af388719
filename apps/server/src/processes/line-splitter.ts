/** Longer lines are truncated and marked, because one line must not fill the memory. */
export const MAX_LINE_BYTES = 16_384;
const CUT_MARK = ' …';
const NEWLINE = 0x0a;

export type LineSplitter = {
  push(chunk: Uint8Array): void;
  /** Emits the last line if it has no newline. */
  end(): void;
  /** Bytes received for a line that is not emitted yet. */
  pendingBytes(): number;
};

/** Splits bytes into lines of text. Lines may span chunks. */
export function createLineSplitter(onLine: (line: string) => void): LineSplitter {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let isSkipping = false;

  function emit(mark = ''): void {
    const line = Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    onLine(lineText(line) + mark);
  }

  function take(part: Uint8Array): void {
    if (isSkipping || part.length === 0) return;
    const fitting = part.subarray(0, MAX_LINE_BYTES - pendingBytes);
    // A copy, because the caller may reuse the memory of the chunk.
    pending.push(Uint8Array.from(fitting));
    pendingBytes += fitting.length;
    if (fitting.length === part.length) return;
    emit(CUT_MARK);
    isSkipping = true;
  }

  return {
    push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, at));
        if (isSkipping) isSkipping = false;
        else emit();
        from = at + 1;
      }
      take(chunk.subarray(from));
    },
    end() {
      if (pendingBytes > 0) emit();
    },
    pendingBytes: () => pendingBytes,
  };
}

/** The line as a terminal shows it: a carriage return overwrites the line. Invalid UTF-8 becomes U+FFFD. */
function lineText(line: Uint8Array): string {
  const text = new TextDecoder().decode(line).replaceAll('\0', '').replace(/\r+$/, '');
  return text.slice(text.lastIndexOf('\r') + 1);
}
