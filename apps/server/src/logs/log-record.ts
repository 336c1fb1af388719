/**
 * One stored line. On disk it is `sequence TAB time TAB name TAB text LF`, time in milliseconds since 1970.
 * The text may hold tabs and colour codes, never a line feed.
 */
export type LogRecord = { sequence: number; at: number; name: string; text: string };

const STORED = /^(\d{1,15})\t(\d{1,15})\t([^\t]*)\t(.*)$/s;

export function encodeRecord({ sequence, at, name, text }: LogRecord): string {
  return `${sequence}\t${at}\t${name}\t${text}\n`;
}

/** Answers nothing for what is no whole record, as a crash may leave one. */
export function decodeRecord(line: string): LogRecord | undefined {
  const [, sequence, at, name, text] = STORED.exec(line) ?? [];
  if (name === undefined || text === undefined) return undefined;
  return { sequence: Number(sequence), at: Number(at), name, text };
}

/** The records of a piece of a file. What follows the last line feed is not written to its end yet. */
export function decodeRecords(piece: string): LogRecord[] {
  const whole = piece.slice(0, piece.lastIndexOf('\n') + 1);
  const records: LogRecord[] = [];
  for (const line of whole.split('\n')) {
    const record = decodeRecord(line);
    if (record !== undefined) records.push(record);
  }
  return records;
}
