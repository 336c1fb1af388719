import { publicHostsOf } from '@longshore/contract';
import type { PublicApp } from '../apps/apps.ts';
import { MAX_DOMAINS_PER_OWNER, type WantedCertificate } from './certificate-rules.ts';

export type InstallationNames = {
  baseDomain: string;
  /** The console's URL. */
  publicUrl: string;
  /** Names in the operator's own certificate. */
  ownNames: readonly string[];
};

/** Names that no public authority issues certificates for (RFC 6761 and others). */
const PRIVATE_SUFFIXES = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'test',
  'example',
  'invalid',
  'onion',
  'arpa',
];

/** Otherwise only apps with custom domains do. */
export function everyAppNeedsOne({
  baseDomain,
  ownNames,
}: Pick<InstallationNames, 'baseDomain' | 'ownNames'>): boolean {
  return isPublicName(baseDomain) && !ownNames.includes(`*.${baseDomain}`);
}

/** Every name that needs a certificate from an authority. Each occurs once. */
export function wantedCertificates(
  apps: readonly PublicApp[],
  names: InstallationNames,
): WantedCertificate[] {
  const { baseDomain, publicUrl, ownNames } = names;
  const wanted = [...consoleHost(publicUrl), ...customHosts(apps, baseDomain)];
  const generated = everyAppNeedsOne(names) ? generatedHosts(apps, baseDomain) : [];
  return [...wanted, ...generated].filter(
    ({ domain }) => isPublicName(domain) && !isCovered(domain, ownNames),
  );
}

/** Whether a public authority can validate the name. */
export function isPublicName(name: string): boolean {
  const labels = name.split('.');
  const last = labels.at(-1) ?? '';
  return labels.length > 1 && !/^\d*$/.test(last) && !PRIVATE_SUFFIXES.includes(last);
}

/** A wildcard covers one label. */
export function isCovered(domain: string, names: readonly string[]): boolean {
  const wildcard = domain.replace(/^[^.]+/, '*');
  return names.some((name) => name === domain || name === wildcard);
}

function consoleHost(publicUrl: string): WantedCertificate[] {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol !== 'https:') return [];
  const known = { ownerId: undefined, refusal: undefined, isAwake: true };
  return [{ domain: hostname, kind: 'console', ...known }];
}

function customHosts(apps: readonly PublicApp[], baseDomain: string): WantedCertificate[] {
  const counts = new Map<string, number>();
  return apps.flatMap(({ id, ownerId, values, routed }) => {
    const isProved = new Map(routed.map((each) => [each.domain, each.isProved]));
    const hosts = publicHostsOf({ id, ...values }, baseDomain, (domain) => isProved.has(domain));
    return hosts.slice(0, -1).map((domain): WantedCertificate => {
      const count = (counts.get(ownerId) ?? 0) + 1;
      counts.set(ownerId, count);
      const isTooMany = count > MAX_DOMAINS_PER_OWNER;
      const refusal = isProved.get(domain) ? (isTooMany ? 'too-many' : undefined) : 'unproved';
      return { domain, kind: 'custom', ownerId, refusal, isAwake: values.instances > 0 };
    });
  });
}

function generatedHosts(apps: readonly PublicApp[], baseDomain: string): WantedCertificate[] {
  return apps.flatMap(({ id, ownerId, values }) =>
    publicHostsOf({ id, ...values }, baseDomain, () => false).map(
      (domain): WantedCertificate => ({
        domain,
        kind: 'generated',
        ownerId,
        refusal: undefined,
        isAwake: values.instances > 0,
      }),
    ),
  );
}
