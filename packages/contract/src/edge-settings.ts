import { hasHiddenCharacters } from './characters.ts';
import { headersProblem } from './edge-headers.ts';
import { parseRedirects, type Redirect } from './edge-redirects.ts';
import { canonicalNetwork, networkProblem } from './ip-network.ts';
import { invalid, type Parsed, valid } from './parsed.ts';
import { parseSettings, type SettingParsers } from './settings.ts';
import { isRecord } from './type-guards.ts';

/**
 * `password`: plain text in a write, and a hash where it is stored. It is never sent to clients; a write without one keeps
 * the stored one.
 */
export type BasicAuth = { username: string; password?: string };

/** How the edge treats the requests of an app. A change neither restarts nor rebuilds the app. */
export type EdgeSettings = {
  /** Unless it is false, HTTP is redirected as soon as there is a certificate. */
  forceHttps?: boolean;
  hsts?: boolean;
  basicAuth?: BasicAuth;
  /** Addresses and networks. Absent: everybody. */
  allowedIps?: string[];
  maxBodyMb?: number;
  timeoutSeconds?: number;
  headers?: Record<string, string>;
  /** Requests of a visitor go to the same instance as long as it serves. */
  stickySessions?: boolean;
  maintenance?: boolean;
  redirects?: Redirect[];
};

const MAX_BODY_MB = 10_240;
const MAX_TIMEOUT_SECONDS = 3_600;
const MAX_ALLOWED_IPS = 200;
const MAX_CREDENTIAL_LENGTH = 255;

/** `before`: the stored settings, in any form. Whether the app has the hosts of the redirects is checked separately. */
export function parseEdgeSettings(
  edge: unknown,
  before?: unknown,
): Parsed<EdgeSettings | undefined> {
  return parseSettings({ field: 'edge', value: edge, stored: before }, PARSERS);
}

const PARSERS: SettingParsers<EdgeSettings> = {
  forceHttps: (value) => parseSwitch('forceHttps', value),
  hsts: (value) => parseSwitch('hsts', value),
  basicAuth: parseBasicAuth,
  allowedIps: parseAllowedIps,
  maxBodyMb: (value) => parseNumber('maxBodyMb', value, { unit: 'megabytes', max: MAX_BODY_MB }),
  timeoutSeconds: (value) =>
    parseNumber('timeoutSeconds', value, { unit: 'seconds', max: MAX_TIMEOUT_SECONDS }),
  headers: parseHeaders,
  stickySessions: (value) => parseSwitch('stickySessions', value),
  maintenance: (value) => parseSwitch('maintenance', value),
  redirects: parseRedirects,
};

function parseSwitch(key: string, value: unknown): Parsed<boolean> {
  return typeof value === 'boolean'
    ? valid(value)
    : invalid(`edge.${key}`, 'Must be true or false');
}

function parseNumber(
  key: string,
  value: unknown,
  { unit, max }: { unit: string; max: number },
): Parsed<number> {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max
    ? valid(value)
    : invalid(`edge.${key}`, `Must be a whole number of ${unit} between 1 and ${max}`);
}

function parseBasicAuth(value: unknown, stored: unknown): Parsed<BasicAuth> {
  if (!isRecord(value)) {
    return invalid('edge.basicAuth', 'Basic authentication must have a username and a password');
  }
  const unknown = Object.keys(value).find((key) => key !== 'username' && key !== 'password');
  if (unknown !== undefined) return invalid(`edge.basicAuth.${unknown}`, 'Unknown setting');
  const username = typeof value.username === 'string' ? value.username : '';
  const usernameFault = usernameProblem(username);
  if (usernameFault !== undefined) return invalid('edge.basicAuth.username', usernameFault);
  const { password } = value;
  if ((password === undefined || password === null) && isRecord(stored)) {
    return valid({
      username,
      ...(typeof stored.password === 'string' && { password: stored.password }),
    });
  }
  const text = typeof password === 'string' ? password : '';
  const problem = credentialProblem('Password', text);
  if (problem !== undefined) return invalid('edge.basicAuth.password', problem);
  return valid({ username, password: text });
}

function parseAllowedIps(value: unknown): Parsed<string[]> {
  if (!Array.isArray(value) || value.some((network) => typeof network !== 'string')) {
    return invalid('edge.allowedIps', 'Must be a list of addresses and networks');
  }
  const problem = allowedIpsProblem(value);
  if (problem !== undefined) return invalid('edge.allowedIps', problem);
  return valid([...new Set(value.map((network: string) => canonicalNetwork(network)))]);
}

function allowedIpsProblem(networks: readonly string[]): string | undefined {
  if (networks.length === 0) {
    return 'At least one address is required. Remove the setting to allow everybody';
  }
  if (networks.length > MAX_ALLOWED_IPS) return `At most ${MAX_ALLOWED_IPS} entries are allowed`;
  for (const network of networks) {
    const problem = networkProblem(network);
    if (problem !== undefined) return `${JSON.stringify(network)}: ${problem}`;
  }
  return undefined;
}

function parseHeaders(value: unknown): Parsed<Record<string, string> | undefined> {
  if (!isRecord(value)) return invalid('edge.headers', 'Headers must be a map of name to value');
  const entries = Object.entries(value);
  const problem = headersProblem(entries);
  if (problem !== undefined) {
    return invalid(
      problem.name === undefined ? 'edge.headers' : `edge.headers.${problem.name}`,
      problem.message,
    );
  }
  return valid(
    entries.length === 0 ? undefined : (Object.fromEntries(entries) as Record<string, string>),
  );
}

function usernameProblem(username: string): string | undefined {
  return username.includes(':')
    ? 'Username must not contain a colon'
    : credentialProblem('Username', username);
}

function credentialProblem(name: string, text: string): string | undefined {
  if (text === '') return `${name} is required`;
  if (text.length > MAX_CREDENTIAL_LENGTH) {
    return `${name} must have at most ${MAX_CREDENTIAL_LENGTH} characters`;
  }
  return hasHiddenCharacters(text) ? `${name} must not contain control characters` : undefined;
}
