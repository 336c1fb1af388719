import { formatLogLine } from '@longshore/contract';
import type { LogRecord } from './log-record.ts';

/** As text, by the specification, or as JSON lines with number and time, for who wants to go on after one of them. */
export type LinesForm = 'text' | 'json';

export const FORM_TYPES: Record<LinesForm, string> = {
  text: 'text/plain; charset=utf-8',
  json: 'application/x-ndjson; charset=utf-8',
};

export function formOf(accept: string | undefined): LinesForm {
  return /\bapplication\/(?:x-)?ndjson\b/i.test(accept ?? '') ? 'json' : 'text';
}

export const encodeBatch: Record<LinesForm, (records: LogRecord[]) => Uint8Array> = {
  text: (records) => encode(records, formatLogLine),
  json: (records) => encode(records, jsonLine),
};

function encode(records: LogRecord[], line: (record: LogRecord) => string): Uint8Array {
  return Buffer.from(`${records.map(line).join('\n')}\n`);
}

function jsonLine({ sequence, at, name, text }: LogRecord): string {
  return JSON.stringify({ sequence, at: new Date(at).toISOString(), name, text });
}
