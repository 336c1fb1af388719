import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { AUTO_DOMAIN, AUTO_DOMAIN_HEX_LENGTH } from './constants.ts';
import { isRecord } from './type-guards.ts';

const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i;

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

/** The custom domain of an app, or its automatic one. */
export function domainOf(app: NamedApp, domain: string, baseDomain: string): string {
  return domain === AUTO_DOMAIN ? autoDomain(app, baseDomain) : domain;
}

type Exposure = {
  publicAccess: { enabled: boolean; domain: string };
  ports: { expose: boolean }[];
};

/** Host name of an app; undefined when it is not public. */
export function publicHostOf(app: NamedApp & Exposure, baseDomain: string): string | undefined {
  const { enabled, domain } = app.publicAccess;
  const isPublic = enabled && app.ports.some(({ expose }) => expose);
  return isPublic ? domainOf(app, domain, baseDomain) : undefined;
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
