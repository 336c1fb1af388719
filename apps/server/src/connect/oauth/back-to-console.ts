import { ROUTES } from '@longshore/contract';
import type { Context } from 'hono';
import type { OauthProviderName } from './oauth-providers.ts';

/** Why nothing was connected. */
export type OauthFailure = 'denied' | 'expired' | 'refused' | 'unreachable' | 'not-configured';

type Outcome = { connected: OauthProviderName } | { failed: OauthFailure };

/** Always to the console's own page: nothing in the request says where. */
export function backToConsole(context: Context, publicUrl: string, outcome: Outcome): Response {
  context.header('cache-control', 'no-store');
  // The address of this very page holds the provider's code.
  context.header('referrer-policy', 'no-referrer');
  const query = new URLSearchParams(outcome);
  return context.redirect(`${publicUrl}${ROUTES.integrations}?${query}`, 302);
}
