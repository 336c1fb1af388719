import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { AUTO_DOMAIN, AUTO_DOMAIN_HEX_LENGTH } from './constants.ts';

const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i;

/** Letters of any language, and nothing that has another meaning in a URL. */
const INTERNATIONAL = /^(?=.*[^ -~])[\p{L}\p{M}\p{N}.-]+$/u;

const AUTO_DOMAIN_LABEL = new RegExp(`^[a-z0-9-]+-[0-9a-f]{${AUTO_DOMAIN_HEX_LENGTH}}$`);

export type NamedApp = { id: string; name: string };

/** The name plus the first 12 hex digits of the SHA-256 of name-id, below the base domain. */
export function autoDomain({ id, name }: NamedApp, baseDomain: string): string {
  const digest = bytesToHex(sha256(utf8ToBytes(`${name}-${id}`)));
  return `${name}-${digest.slice(0, AUTO_DOMAIN_HEX_LENGTH)}.${baseDomain}`;
}

/**
 * Whether a host name was generated for this app, with its current or a former name. A host name of another app cannot be
 * made to match: the digest depends on the id, which nobody can choose.
 */
export function isGeneratedHostOf(appId: string, host: string, baseDomain: string): boolean {
  const name = host.slice(0, -`-${'0'.repeat(AUTO_DOMAIN_HEX_LENGTH)}.${baseDomain}`.length);
  return name !== '' && host === autoDomain({ id: appId, name }, baseDomain);
}

type Exposure = {
  publicAccess: { enabled: boolean; domain: string; domains?: string[] };
  ports: { expose: boolean }[];
};

/** The custom domain in the setting `domain`, if the app is public. */
export function customDomainOf({
  publicAccess: { enabled, domain },
}: Pick<Exposure, 'publicAccess'>): string | undefined {
  return enabled && isCustom(domain) ? domain : undefined;
}

/** Every custom domain in an app's settings, whether or not it is public. */
export function customDomainsOf({
  publicAccess: { domain, domains = [] },
}: Pick<Exposure, 'publicAccess'>): string[] {
  return [...(isCustom(domain) ? [domain] : []), ...domains];
}

function isCustom(domain: string): boolean {
  return domain !== AUTO_DOMAIN && domain !== '';
}

/** Host names of an app: its custom domains first, then its automatic domain. None when it is not public. */
export function publicHostsOf(
  app: NamedApp & Exposure,
  baseDomain: string,
  isRouted: (domain: string) => boolean = () => true,
): string[] {
  const { enabled, domain } = app.publicAccess;
  const isPublic = enabled && domain !== '' && app.ports.some(({ expose }) => expose);
  if (!isPublic) return [];
  const custom = customDomainsOf(app).filter(
    (host) => isRouted(host) && !isAutoDomain(host, baseDomain),
  );
  return [...custom, autoDomain(app, baseDomain)];
}

/**
 * Whether a host name can be the automatic domain of an app. Custom domains below the base domain are refused, but one that
 * was entered below another base domain must not take the traffic of an app.
 */
function isAutoDomain(host: string, baseDomain: string): boolean {
  const label = host.slice(0, -`.${baseDomain}`.length);
  return host === `${label}.${baseDomain}` && AUTO_DOMAIN_LABEL.test(label);
}

/** Why no app can have the domain: generated hosts are below the base domain, and apps must not get the console's cookies. */
export function reservedDomainProblem(
  domain: string,
  { baseDomain, publicUrl }: { baseDomain: string; publicUrl: string },
): string | undefined {
  if (`.${domain}`.endsWith(`.${baseDomain}`)) {
    return 'Custom domain must not be below the base domain';
  }
  return domain === new URL(publicUrl).hostname
    ? 'Custom domain must not be the host of the console'
    : undefined;
}

/** As it is stored: lowercase, without a trailing dot, and with international labels in their ASCII form. */
export function normalizedDomain(text: string): string {
  const domain = text.trim().toLowerCase().replace(/\.$/, '');
  return INTERNATIONAL.test(domain) && URL.canParse(`http://${domain}`)
    ? new URL(`http://${domain}`).hostname
    : domain;
}

/** Expects a normalized domain. */
export function customDomainProblem(domain: string): string | undefined {
  if (domain.trim() === '') return 'Custom domain is required';
  if (domain.startsWith('*.')) return 'Wildcard domains are not supported. Enter each domain';
  return HOST_NAME.test(domain) ? undefined : 'Custom domain must look like app.example.com';
}
