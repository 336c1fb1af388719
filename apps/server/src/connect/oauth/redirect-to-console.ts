import { ROUTES } from '@longshore/contract';
import type { Context } from 'hono';
import type { OauthProviderName } from './oauth-providers.ts';

/** Why the account was not connected. */
export type OauthFailure = 'denied' | 'expired' | 'refused' | 'unreachable' | 'not-configured';

type Outcome = { connected: OauthProviderName } | { failed: OauthFailure };

/** Always redirects to the integrations page: the request cannot choose the target. */
export function redirectToConsole(context: Context, publicUrl: string, outcome: Outcome): Response {
  context.header('cache-control', 'no-store');
  // The URL of this response contains the provider's code.
  context.header('referrer-policy', 'no-referrer');
  const query = new URLSearchParams(outcome);
  return context.redirect(`${publicUrl}${ROUTES.integrations}?${query}`, 302);
}
