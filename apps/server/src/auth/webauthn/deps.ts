import type { AuthDeps } from '../deps.ts';
import { type Challenges, createChallenges } from './challenges.ts';
import { type RelyingParty, relyingPartyOf } from './relying-party.ts';
import { createSecurityKeys, type SecurityKeys } from './security-keys.ts';

/** The dependencies of the WebAuthn endpoints. */
export type WebauthnDeps = AuthDeps & {
  challenges: Challenges;
  securityKeys: SecurityKeys;
  relyingParty: RelyingParty;
};

export function createWebauthnDeps(deps: AuthDeps): WebauthnDeps {
  return {
    ...deps,
    challenges: createChallenges(deps.db),
    securityKeys: createSecurityKeys(deps.db),
    relyingParty: relyingPartyOf(deps.settings),
  };
}
