/** How a registry wants clients to authenticate, from its `WWW-Authenticate` header. */
export type Challenge =
  | { kind: 'basic' }
  | { kind: 'bearer'; realm: URL; service: string | undefined };

const PARAMETER = /([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi;

/** Undefined if the header is missing or its scheme is unsupported. */
export function parseChallenge(header: string | null): Challenge | undefined {
  const [, scheme = '', rest = ''] = /^\s*(\w+)\s*(.*)$/s.exec(header ?? '') ?? [];
  if (scheme.toLowerCase() === 'basic') return { kind: 'basic' };
  if (scheme.toLowerCase() !== 'bearer') return undefined;
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, unquoted = ''] of rest.matchAll(PARAMETER)) {
    parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? unquoted);
  }
  const realm = parameters.get('realm') ?? '';
  if (!URL.canParse(realm)) return undefined;
  return { kind: 'bearer', realm: new URL(realm), service: parameters.get('service') };
}
