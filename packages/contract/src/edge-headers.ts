/** What HTTP allows in the name and in the value of a header (RFC 9110 §5). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t -~]+$/;

const MAX_HEADERS = 50;
const MAX_NAME_LENGTH = 100;
/** Browsers and proxies accept response heads of about 16 kB, and the app needs its part. */
const MAX_TOTAL_LENGTH = 8_000;

/** They belong to the connection or to the transfer of the body, which the edge controls. */
const TRANSFER = [
  'connection',
  'content-length',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/**
 * One value for all responses would corrupt them, or give every visitor the cookie, the redirect or the cache entry of
 * another one.
 */
const SINGLE_RESPONSE = [
  'accept-ranges',
  'age',
  'authentication-info',
  'content-encoding',
  'content-location',
  'content-range',
  'content-type',
  'date',
  'etag',
  'last-modified',
  'location',
  'proxy-authenticate',
  'proxy-authentication-info',
  'refresh',
  'set-cookie',
  'set-cookie2',
  'vary',
  'www-authenticate',
];

const REFUSALS = new Map([
  ...TRANSFER.map((name) => [name, 'This header is set by the edge'] as const),
  ...SINGLE_RESPONSE.map((name) => [name, 'Only the app can set this header'] as const),
  ['strict-transport-security', 'Use the HSTS setting'],
]);

/** `name`: the header with the problem, if it is one header. */
type HeadersProblem = { name?: string; message: string };

export function headersProblem(
  headers: readonly (readonly [name: string, value: unknown])[],
): HeadersProblem | undefined {
  if (headers.length > MAX_HEADERS)
    return { message: `At most ${MAX_HEADERS} headers are allowed` };
  const names = new Set<string>();
  let length = 0;
  for (const [name, value] of headers) {
    const message = headerNameProblem(name) ?? headerValueProblem(value);
    if (message !== undefined) return { name, message };
    if (names.has(name.toLowerCase())) return { name, message: 'This header is listed twice' };
    names.add(name.toLowerCase());
    length += name.length + String(value).length;
  }
  return length > MAX_TOTAL_LENGTH
    ? { message: `Names and values must have at most ${MAX_TOTAL_LENGTH} characters together` }
    : undefined;
}

function headerNameProblem(name: string): string | undefined {
  if (name === '') return 'Header name is required';
  if (!NAME.test(name) || name.length > MAX_NAME_LENGTH) {
    return 'Header names may contain letters, digits and hyphens only';
  }
  const lower = name.toLowerCase();
  if (lower.startsWith('sec-websocket-')) return 'This header is set by the edge';
  // As a key of an object it would set the prototype.
  if (lower === '__proto__') return 'Header names may contain letters, digits and hyphens only';
  return REFUSALS.get(lower);
}

function headerValueProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'Header values must be text';
  if (value.trim() === '') return 'Header value is required';
  return VALUE.test(value) && value === value.trim()
    ? undefined
    : 'Header values may contain printable ASCII characters only, and no space at either end';
}
