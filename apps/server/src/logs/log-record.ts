/**
 * One stored line. On disk it is `sequence TAB time TAB name TAB text LF`, time in milliseconds since 1970.
 * The text may contain tabs and colour codes, but no line feed.
 */
export type LogRecord = { sequence: number; at: number; name: string; text: string };

const RECORD = /^(\d{1,15})\t(\d{1,15})\t([^\t]*)\t(.*)$/s;

export function encodeRecord({ sequence, at, name, text }: LogRecord): string {
  return `${sequence}\t${at}\t${name}\t${text}\n`;
}

/** Undefined for an incomplete or corrupt record, which a crash may leave. */
export function decodeRecord(line: string): LogRecord | undefined {
  const [, sequence, at, name, text] = RECORD.exec(line) ?? [];
  if (name === undefined || text === undefined) return undefined;
  return { sequence: Number(sequence), at: Number(at), name, text };
}

/** The records in a part of a file. A record after the last line feed is ignored, because it is incomplete. */
export function decodeRecords(content: string): LogRecord[] {
  const complete = content.slice(0, content.lastIndexOf('\n') + 1);
  const records: LogRecord[] = [];
  for (const line of complete.split('\n')) {
    const record = decodeRecord(line);
    if (record !== undefined) records.push(record);
  }
  return records;
}
