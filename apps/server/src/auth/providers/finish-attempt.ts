import type { Context } from 'hono';
import { AuthProblem } from '../auth-problem.ts';
import { handOver } from '../code-exchange/hand-over.ts';
import type { AuthDeps } from '../deps.ts';
import { admitAccount } from './admit-account.ts';
import { exchangeCode } from './ask-for-tokens.ts';
import type { Attempt } from './attempt.ts';
import { callbackAddress } from './callback-address.ts';
import type { Providers } from './create-providers.ts';
import { linkAccount } from './link-account.ts';
import type { Profile } from './provider.ts';
import { type ProviderTokens, providerTokensOf } from './provider-tokens.ts';

/** A browser that came back, with the code its provider gave it. */
export type Return = {
  provider: NonNullable<ReturnType<Providers['find']>>;
  attempt: Attempt;
  code: string;
};

/** Links the account, or admits its user. Says what the browser carries on: nothing after a link. */
export async function finishAttempt(
  context: Context,
  deps: AuthDeps,
  returned: Return,
): Promise<Record<string, string>> {
  const { profile, tokens } = await accountOf(deps, returned);
  const provider = returned.provider.name;
  const { options, codeChallenge, linkTo } = returned.attempt;
  if (linkTo !== undefined) {
    await linkAccount(context, deps, { provider, profile, userId: linkTo });
    await deps.providerSessions.keep({ userId: linkTo, provider }, tokens);
    return {};
  }
  const user = await admitAccount(context, deps, { provider, profile, options });
  await deps.providerSessions.keep({ userId: user.id, provider }, tokens);
  return await handOver(context, deps, { user, codeChallenge, details: { provider } });
}

type Account = { profile: Profile; tokens: ProviderTokens };

async function accountOf(
  { settings, fetch, clock }: AuthDeps,
  { provider, attempt, code }: Return,
): Promise<Account> {
  const redirectUri = callbackAddress(settings.publicUrl, provider.name);
  const { verifier, nonce } = attempt;
  const { answer, tokens } = await exchangeCode(provider, fetch, { code, redirectUri, verifier })
    .then((answer) => ({ answer, tokens: providerTokensOf(answer, clock.now()) }))
    .catch((cause) => {
      throw new AuthProblem('oauth-token-echange-failed', { cause });
    });
  const profile = await provider.profile(answer, nonce).catch((cause) => {
    throw new AuthProblem('oauth-profile-fetch-failed', { cause });
  });
  return { profile, tokens };
}
