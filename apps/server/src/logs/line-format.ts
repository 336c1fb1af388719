import { formatLogLine } from '@longshore/contract';
import type { LogRecord } from './log-record.ts';

/** `text`: `[name]: text` lines (spec-map 7.6.2). `json`: JSON lines with sequence and time, for resuming. */
export type LineFormat = 'text' | 'json';

export const CONTENT_TYPES: Record<LineFormat, string> = {
  text: 'text/plain; charset=utf-8',
  json: 'application/x-ndjson; charset=utf-8',
};

export function lineFormatOf(accept: string | undefined): LineFormat {
  return /\bapplication\/(?:x-)?ndjson\b/i.test(accept ?? '') ? 'json' : 'text';
}

export const encodeBatch: Record<LineFormat, (records: LogRecord[]) => Uint8Array> = {
  text: (records) => encode(records, formatLogLine),
  json: (records) => encode(records, jsonLine),
};

function encode(records: LogRecord[], formatLine: (record: LogRecord) => string): Uint8Array {
  return Buffer.from(`${records.map(formatLine).join('\n')}\n`);
}

function jsonLine({ sequence, at, name, text }: LogRecord): string {
  return JSON.stringify({ sequence, at: new Date(at).toISOString(), name, text });
}
