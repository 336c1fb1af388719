import { createLineSplitter } from '../../processes/line-splitter.ts';
import { readLogEntries } from './container-logs.ts';
import type { DockerDeps } from './deps.ts';

const EVIDENCE_LINES = 10;
const READ_MS = 10_000;

/** Splits both outputs into lines. Their entries may be interleaved in the middle of a line. */
export function createContainerLineSplitter(onLine: (line: string) => void) {
  const outputs = new Map<number, ReturnType<typeof createLineSplitter>>();
  const linesOf = (output: number) => {
    const known = outputs.get(output) ?? createLineSplitter(onLine);
    outputs.set(output, known);
    return known;
  };
  return {
    push: (output: number, bytes: Uint8Array) => linesOf(output).push(bytes),
    /** Whether every line so far is complete. */
    hasNoPartialLine: () => [...outputs.values()].every((lines) => lines.pendingBytes() === 0),
    end() {
      for (const lines of outputs.values()) lines.end();
    },
  };
}

/** The last lines of a container's log; none when it cannot be read. */
export async function readLastLines(
  id: string,
  deps: DockerDeps,
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  const lines = createContainerLineSplitter((line) => found.push(line));
  const range = { tail: EVIDENCE_LINES, isFollowing: false };
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(READ_MS)]);
  try {
    for await (const { output, bytes } of readLogEntries(id, range, deps, bounded)) {
      lines.push(output, bytes);
    }
    lines.end();
  } catch {
    signal.throwIfAborted();
  }
  return found.filter((text) => text.trim() !== '');
}
