import type { AuthSettings } from '../deps.ts';

/** The WebAuthn relying party: the console's host, with all origins of pages that may sign users in. */
export type RelyingParty = { id: string; name: string; origins: string[] };

export function relyingPartyOf({
  publicUrl,
  allowedRedirects,
  allowedOrigins,
}: Pick<AuthSettings, 'publicUrl' | 'allowedRedirects' | 'allowedOrigins'>): RelyingParty {
  const consoleUrl = new URL(publicUrl);
  return {
    id: consoleUrl.hostname,
    name: 'Longshore',
    origins: [
      ...new Set([consoleUrl.origin, ...allowedOrigins, ...allowedRedirects.flatMap(webOrigin)]),
    ],
  };
}

function webOrigin(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { protocol, origin } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? [origin] : [];
}
