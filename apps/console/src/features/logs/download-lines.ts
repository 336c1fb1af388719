import { formatLogLine, withoutAnsi } from '@longshore/contract';
import { downloadText } from '../../lib/download-text.ts';
import type { NumberedLine } from './model/line-list.ts';

/** Downloads the lines as a text file. */
export function downloadLines(lines: NumberedLine[], fileName: string): void {
  downloadText(lines.map((line) => `${withoutAnsi(formatLogLine(line))}\n`).join(''), fileName);
}
