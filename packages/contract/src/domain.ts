import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { AUTO_DOMAIN, AUTO_DOMAIN_HEX_LENGTH } from './constants.ts';
import { isRecord } from './type-guards.ts';

const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i;

const AUTO_DOMAIN_LABEL = new RegExp(`^[a-z0-9-]+-[0-9a-f]{${AUTO_DOMAIN_HEX_LENGTH}}$`);

const DOMAIN_STATES = ['verified', 'taken', 'elsewhere', 'missing', 'unanswered'] as const;

/**
 * Result of the DNS check of a custom domain. `verified`: it resolves to this server and belongs to this app; `taken`:
 * another app verified it first; `elsewhere`: it resolves to another address; `missing`: no record; `unanswered`: the name
 * servers timed out.
 */
export type DomainState = (typeof DOMAIN_STATES)[number];

/** `addresses`: what the domain resolves to now. */
export type DomainCheck = { state: DomainState; addresses: string[] };

export type NamedApp = { id: string; name: string };

/** The name plus the first 12 hex digits of the SHA-256 of name-id, below the base domain. */
export function autoDomain({ id, name }: NamedApp, baseDomain: string): string {
  const digest = bytesToHex(sha256(utf8ToBytes(`${name}-${id}`)));
  return `${name}-${digest.slice(0, AUTO_DOMAIN_HEX_LENGTH)}.${baseDomain}`;
}

type Exposure = {
  publicAccess: { enabled: boolean; domain: string };
  ports: { expose: boolean }[];
};

/** The custom domain in an app's settings, if it is public. */
export function customDomainOf({
  publicAccess: { enabled, domain },
}: Pick<Exposure, 'publicAccess'>): string | undefined {
  return enabled && domain !== AUTO_DOMAIN && domain !== '' ? domain : undefined;
}

/** Host names of an app: its custom domain first, then its automatic domain. None when it is not public. */
export function publicHostsOf(app: NamedApp & Exposure, baseDomain: string): string[] {
  const { enabled, domain } = app.publicAccess;
  const isPublic = enabled && domain !== '' && app.ports.some(({ expose }) => expose);
  if (!isPublic) return [];
  const custom = customDomainOf(app);
  const isServed = custom !== undefined && !isAutoDomain(custom, baseDomain);
  return [...(isServed ? [custom] : []), autoDomain(app, baseDomain)];
}

/**
 * Whether a host name can be the automatic domain of an app. Custom domains below the base domain are refused, but one that
 * was entered below another base domain must not take the traffic of an app.
 */
function isAutoDomain(host: string, baseDomain: string): boolean {
  const label = host.slice(0, -`.${baseDomain}`.length);
  return host === `${label}.${baseDomain}` && AUTO_DOMAIN_LABEL.test(label);
}

export function customDomainProblem(domain: string): string | undefined {
  if (domain.trim() === '') return 'Custom domain is required';
  return HOST_NAME.test(domain) ? undefined : 'Custom domain must look like app.example.com';
}

/** Undefined for a malformed response. */
export function decodeDomainCheck(body: unknown): DomainCheck | undefined {
  if (!isRecord(body) || !Array.isArray(body.addresses)) return undefined;
  const state = DOMAIN_STATES.find((known) => known === body.state);
  const addresses = body.addresses.filter((address) => typeof address === 'string');
  return state && { state, addresses };
}
