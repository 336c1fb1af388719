import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { AUTO_DOMAIN, AUTO_DOMAIN_HEX_LENGTH } from './constants.ts';

const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i;

export type NamedApp = { id: string; name: string };

/** Spec §9, Auto domain: the name plus the first 12 hex digits of a SHA-256 of name-id. */
export function autoDomain({ id, name }: NamedApp, baseDomain: string): string {
  const digest = bytesToHex(sha256(utf8ToBytes(`${name}-${id}`)));
  return `${name}-${digest.slice(0, AUTO_DOMAIN_HEX_LENGTH)}.${baseDomain}`;
}

/** Where an app is reached: its custom domain, or the automatic one. */
export function domainOf(app: NamedApp, domain: string, baseDomain: string): string {
  return domain === AUTO_DOMAIN ? autoDomain(app, baseDomain) : domain;
}

type Reach = { publicAccess: { enabled: boolean; domain: string }; ports: { expose: boolean }[] };

/** Where visitors reach an app; undefined when they do not. */
export function publicHostOf(app: NamedApp & Reach, baseDomain: string): string | undefined {
  const { enabled, domain } = app.publicAccess;
  const isReachable = enabled && app.ports.some(({ expose }) => expose);
  return isReachable ? domainOf(app, domain, baseDomain) : undefined;
}

/** Spec §5, Custom domain. */
export function customDomainProblem(domain: string): string | undefined {
  if (domain.trim() === '') return 'Custom domain is required';
  return HOST_NAME.test(domain) ? undefined : 'Custom domain must look like app.example.com';
}
