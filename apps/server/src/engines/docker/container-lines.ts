import { createLineSplitter } from '../../processes/line-splitter.ts';
import { readLogEntries } from './container-logs.ts';
import type { DockerDeps } from './deps.ts';

const EVIDENCE_LINES = 10;
const READ_MS = 10_000;

/** Makes lines of what both outputs write: one may be in the middle of a line while the other goes on. */
export function createContainerLineSplitter(onLine: (line: string) => void) {
  const outputs = new Map<number, ReturnType<typeof createLineSplitter>>();
  const linesOf = (output: number) => {
    const known = outputs.get(output) ?? createLineSplitter(onLine);
    outputs.set(output, known);
    return known;
  };
  return {
    push: (output: number, bytes: Uint8Array) => linesOf(output).push(bytes),
    /** Whether no line is half told. */
    hasNoPartialLine: () => [...outputs.values()].every((lines) => lines.pendingBytes() === 0),
    end() {
      for (const lines of outputs.values()) lines.end();
    },
  };
}

/** The end of what a container said, as evidence; nothing when it cannot be read. */
export async function readLastLines(
  id: string,
  parts: DockerDeps,
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  const lines = createContainerLineSplitter((line) => found.push(line));
  const range = { tail: EVIDENCE_LINES, isFollowing: false };
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(READ_MS)]);
  try {
    for await (const { output, bytes } of readLogEntries(id, range, parts, bounded)) {
      lines.push(output, bytes);
    }
    lines.end();
  } catch {
    signal.throwIfAborted();
  }
  return found.filter((text) => text.trim() !== '');
}
