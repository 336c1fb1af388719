/** A name containing this marks a build log. Spec §7, Logs service. */
const BUILD_MARK = '-build-';
const LINE = /^\[([^\]]*)\]: ?(.*)$/s;

export type LogSource = 'app' | 'build';
export type LogLine = { name: string; source: LogSource; text: string };

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

export function logSourceOf(name: string): LogSource {
  return name.includes(BUILD_MARK) ? 'build' : 'app';
}

function shortId(id: string): string {
  return id.slice(0, 6);
}
