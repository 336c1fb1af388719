import { formatLogLine, withoutAnsi } from '@longshore/contract';
import type { NumberedLine } from './model/log-buffer.ts';

/** Downloads the lines as a text file. */
export function downloadLines(lines: NumberedLine[], fileName: string): void {
  const text = lines.map((line) => `${withoutAnsi(formatLogLine(line))}\n`).join('');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
