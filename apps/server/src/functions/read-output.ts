import type { Readable } from 'node:stream';
import { createLineSplitter } from '../processes/line-splitter.ts';

/** Tells what a thread prints, line by line. */
export function readOutput(output: Readable, onLine: (line: string) => void): void {
  const lines = createLineSplitter(onLine);
  output.on('data', (chunk: Uint8Array) => lines.push(chunk));
  output.on('end', () => lines.end());
}
