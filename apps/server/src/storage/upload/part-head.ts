export type PartHead = { name: string; filename: string | undefined };

const DISPOSITION = /^content-disposition:\s*form-data\s*;(.*)$/im;
const PARAMETER = /;\s*([a-z]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/gi;

/** What a part is called. RFC 7578 §4.2, which forbids the `filename*` of other headers. */
export function parsePartHead(head: string): PartHead | undefined {
  const [, parameters] = DISPOSITION.exec(head) ?? [];
  if (parameters === undefined) return undefined;
  const named = new Map<string, string>();
  for (const [, key = '', quoted, bare = ''] of `;${parameters}`.matchAll(PARAMETER)) {
    named.set(key.toLowerCase(), unescaped(quoted ?? bare));
  }
  const name = named.get('name');
  return name === undefined ? undefined : { name, filename: lastPart(named.get('filename')) };
}

/** Browsers write three characters as percent codes, others put a backslash before them. */
function unescaped(value: string): string {
  return value
    .replace(/\\(["\\])/g, '$1')
    .replace(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Some clients send whole paths. */
function lastPart(path: string | undefined): string | undefined {
  return path?.replace(/^.*[/\\]/s, '');
}
