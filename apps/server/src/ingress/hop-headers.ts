/** Headers that speak of one connection only. RFC 9110 §7.6.1. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers that say who the client is: only ours may reach an app. `proxy` is read as a setting by CGI programs. */
const CLIENT_CLAIMS = new Set(['forwarded', 'x-real-ip', 'proxy']);
const CLIENT_CLAIM_PREFIX = 'x-forwarded-';

/** Calls back for each header that goes on to the other side. Raw headers are a flat list: name, value, name, value. */
export function eachForwarded(
  rawHeaders: readonly string[],
  keep: (name: string, value: string, lowerName: string) => void,
): void {
  const named = namedInConnection(rawHeaders);
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const lowerName = name.toLowerCase();
    if (HOP_BY_HOP.has(lowerName) || named?.has(lowerName)) continue;
    keep(name, rawHeaders[index + 1] ?? '', lowerName);
  }
}

/** Underscores count as dashes: many frameworks cannot tell `X_Forwarded_For` from the real one. */
export function isClientClaim(lowerName: string): boolean {
  const name = lowerName.includes('_') ? lowerName.replaceAll('_', '-') : lowerName;
  return name.startsWith(CLIENT_CLAIM_PREFIX) || CLIENT_CLAIMS.has(name);
}

function namedInConnection(rawHeaders: readonly string[]): Set<string> | undefined {
  let named: Set<string> | undefined;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'connection') continue;
    for (const option of (rawHeaders[index + 1] ?? '').toLowerCase().split(',')) {
      const name = option.trim();
      if (name === 'keep-alive' || name === 'close') continue;
      named ??= new Set();
      named.add(name);
    }
  }
  return named;
}
