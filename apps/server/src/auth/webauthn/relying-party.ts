import type { AuthSettings } from '../deps.ts';

/** Whom a security key answers to: the console's host, on pages of the origins the operator named. */
export type RelyingParty = { id: string; name: string; origins: string[] };

export function relyingPartyOf({
  publicUrl,
  allowedRedirects,
}: Pick<AuthSettings, 'publicUrl' | 'allowedRedirects'>): RelyingParty {
  const home = new URL(publicUrl);
  return {
    id: home.hostname,
    name: 'Longshore',
    origins: [...new Set([home.origin, ...allowedRedirects.flatMap(webOrigin)])],
  };
}

function webOrigin(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { protocol, origin } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? [origin] : [];
}
