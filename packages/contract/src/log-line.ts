import { isRecord } from './parsed.ts';

/** A name containing this marks a build log. Spec §7, Logs service. */
const BUILD_MARK = '-build-';
const LINE = /^\[([^\]]*)\]: ?(.*)$/s;

export type LogSource = 'app' | 'build';
export type LogLine = {
  name: string;
  source: LogSource;
  text: string;
  /** Its place in the app's log, and when it was said. Only a server that was asked for it tells. */
  sequence?: number;
  at?: string;
};

/** How a server is asked for lines with their place and time; one that does not know it answers plain text. */
export const NUMBERED_LINES = 'application/x-ndjson';

/** Names are made of ids, never of the app's own name, which may legally be `my-build-tool`. */
export function instanceLogName(appId: string, instance: number): string {
  return `app-${shortId(appId)}-${instance}`;
}

export function buildLogName(appId: string, release: number): string {
  return `app-${shortId(appId)}${BUILD_MARK}${release}`;
}

export function formatLogLine({ name, text }: { name: string; text: string }): string {
  return `[${name}]: ${text}`;
}

export function parseLogLine(line: string): LogLine {
  const [, name = '', text = line] = LINE.exec(line) ?? [];
  return { name, source: logSourceOf(name), text };
}

/** A line as JSON, with its place and time. Anything else is taken for a plain line. */
export function parseNumberedLine(line: string): LogLine {
  const { sequence, at, name, text } = recordOf(line);
  if (typeof name !== 'string' || typeof text !== 'string') return parseLogLine(line);
  return {
    ...{ name, source: logSourceOf(name), text },
    ...(Number.isSafeInteger(sequence) ? { sequence: Number(sequence) } : {}),
    ...(typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? { at } : {}),
  };
}

function recordOf(line: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(line);
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

export function logSourceOf(name: string): LogSource {
  return name.includes(BUILD_MARK) ? 'build' : 'app';
}

function shortId(id: string): string {
  return id.slice(0, 6);
}
