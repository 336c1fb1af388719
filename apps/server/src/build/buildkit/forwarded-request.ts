import type { IncomingHttpHeaders } from 'node:http';

/** What a forwarder offers of a registry. */
export type ForwardedRepositories = {
  /** The registry in image names, which BuildKit sends to mirrors: docker.io, localhost:5000. */
  name: string;
  /** The start of repository names, or empty for all. */
  path: string;
};

export type RequestVerdict = { kind: 'forward'; path: string } | { kind: 'refuse'; status: number };

const COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const NAME = `${COMPONENT}(?:/${COMPONENT})*`;
const DIGEST = '(?:sha256:[a-f0-9]{64}|sha512:[a-f0-9]{128})';
const TAG = '\\w[\\w.-]{0,127}';

/** Images only. Lists of repositories, tags and uploads are not needed for a pull, and may show the work of other users. */
const IMAGE_PATH = new RegExp(`^/v2/(${NAME})/(?:manifests/(?:${TAG}|${DIGEST})|blobs/${DIGEST})$`);
const MAX_PATH_LENGTH = 1_024;

/** Headers that select the content. Authorization is not among them: nobody can try passwords at the registry. */
const REQUEST_HEADERS = ['accept', 'accept-encoding', 'if-none-match', 'range', 'user-agent'];

/** Headers that describe the content. */
const RESPONSE_HEADERS = [
  'accept-ranges',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'docker-content-digest',
  'docker-distribution-api-version',
  'etag',
  'last-modified',
  'retry-after',
];

/** Decides about a request line as it was sent. Only the canonical spelling of a path is known, so no trick needs decoding. */
export function judgeRequest(
  { method, url, headers }: { method: string; url: string; headers: IncomingHttpHeaders },
  { name, path }: ForwardedRepositories,
): RequestVerdict {
  if (method !== 'GET' && method !== 'HEAD') return { kind: 'refuse', status: 405 };
  const { 'transfer-encoding': encoding, 'content-length': length = '0' } = headers;
  if (encoding !== undefined || length !== '0') return { kind: 'refuse', status: 400 };
  if (url.length > MAX_PATH_LENGTH) return { kind: 'refuse', status: 414 };
  const [pathname = '', query] = url.split('?', 2);
  const namespaces = [`ns=${name}`, `ns=${encodeURIComponent(name)}`];
  const isKnownQuery = query === undefined || namespaces.includes(query);
  if (!isKnownQuery || url.split('?').length > 2) return { kind: 'refuse', status: 404 };
  const repository = IMAGE_PATH.exec(pathname)?.[1];
  const isOffered = repository !== undefined && (path === '' || repository.startsWith(`${path}/`));
  if (!isOffered && pathname !== '/v2/') return { kind: 'refuse', status: 404 };
  return { kind: 'forward', path: url };
}

export function forwardedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return pick(headers, REQUEST_HEADERS);
}

/**
 * The headers of a response. A redirect inside of the registry becomes a path; undefined for one that leads elsewhere, which the
 * builder may not be able to reach and need not know.
 */
export function returnedHeaders(
  headers: IncomingHttpHeaders,
  from: URL,
  repositories: ForwardedRepositories,
): Record<string, string> | undefined {
  const picked = pick(headers, RESPONSE_HEADERS);
  const { location } = headers;
  if (location === undefined) return picked;
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (target === undefined || target.origin !== from.origin) return undefined;
  const url = `${target.pathname}${target.search}`;
  const verdict = judgeRequest({ method: 'GET', url, headers: {} }, repositories);
  return verdict.kind === 'forward' ? { ...picked, location: verdict.path } : undefined;
}

function pick(headers: IncomingHttpHeaders, names: string[]): Record<string, string> {
  const entries = names.map((name) => [name, headers[name]] as const);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
