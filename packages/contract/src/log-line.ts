import { isRecord } from './type-guards.ts';

/** A log name that contains this belongs to a build (spec-map 7.6). */
const BUILD_MARK = '-build-';
const COMMAND_NAME = /-command-\d+$/;
const PROCESS_NAME = /^app-[^-]+-(.+\.\d+)$/;
const ACCESS_END = '-access';
const LINE = /^\[([^\]]*)\]: ?(.*)$/s;

/** What prints: an instance of the app, or a build. */
export type OutputSource = 'app' | 'build';
/** `access`: the requests of visitors. `command`: the output of a command. Both are sent only to those who ask for them. */
export type LogSource = OutputSource | 'access' | 'command';
export type LogLine = {
  name: string;
  source: LogSource;
  text: string;
  /** Position in the app's log, and time. Only in responses of type `NDJSON_CONTENT_TYPE`. */
  sequence?: number;
  at?: string;
};

/** Value of the Accept header for lines with position and time. Servers that do not support it send plain text. */
export const NDJSON_CONTENT_TYPE = 'application/x-ndjson';

/** Log names are made from ids, because an app may be named `my-build-tool`. */
export function instanceLogName(appId: string, instance: number, process?: string): string {
  return `app-${shortId(appId)}-${instanceName(String(instance), process)}`;
}

/** Such as `3`, or `worker.4` for an instance of another process than `web`. */
export function instanceName(id: string, process: string | undefined): string {
  return process === undefined ? id : `${process}.${id}`;
}

/** Such as `worker.4`. Undefined for `web`, builds and others. */
export function processInstanceOf(name: string): string | undefined {
  return PROCESS_NAME.exec(name)?.[1];
}

export function buildLogName(appId: string, release: number): string {
  return `app-${shortId(appId)}${BUILD_MARK}${release}`;
}

/** `number`: of the command among those of the app. */
export function commandLogName(appId: string, number: number): string {
  return `app-${shortId(appId)}-command-${number}`;
}

/** The name of the lines about requests that visitors made. */
export function accessLogName(appId: string): string {
  return `app-${shortId(appId)}${ACCESS_END}`;
}

export function formatLogLine({ name, text }: { name: string; text: string }): string {
  return `[${name}]: ${text}`;
}

export function parseLogLine(line: string): LogLine {
  const [, name = '', text = line] = LINE.exec(line) ?? [];
  return { name, source: logSourceOf(name), text };
}

/** Parses a JSON line with position and time, or a plain line. */
export function parseJsonLogLine(line: string): LogLine {
  const { sequence, at, name, text } = parseRecord(line);
  if (typeof name !== 'string' || typeof text !== 'string') return parseLogLine(line);
  return {
    name,
    source: logSourceOf(name),
    text,
    ...(Number.isSafeInteger(sequence) ? { sequence: Number(sequence) } : {}),
    ...(typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? { at } : {}),
  };
}

function parseRecord(line: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(line);
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

export function logSourceOf(name: string): LogSource {
  if (name.includes(BUILD_MARK)) return 'build';
  if (COMMAND_NAME.test(name)) return 'command';
  return name.endsWith(ACCESS_END) ? 'access' : 'app';
}

function shortId(id: string): string {
  return id.slice(0, 6);
}
