import type { AuthSettings } from '../deps.ts';

/** The WebAuthn relying party: the console's host, used from its own origin and the allowed ones. */
export type RelyingParty = { id: string; name: string; origins: string[] };

export function relyingPartyOf({
  publicUrl,
  allowedRedirects,
}: Pick<AuthSettings, 'publicUrl' | 'allowedRedirects'>): RelyingParty {
  const consoleUrl = new URL(publicUrl);
  return {
    id: consoleUrl.hostname,
    name: 'Longshore',
    origins: [...new Set([consoleUrl.origin, ...allowedRedirects.flatMap(webOrigin)])],
  };
}

function webOrigin(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { protocol, origin } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? [origin] : [];
}
