import { AUTH_ERRORS, type AuthErrorCode } from '@longshore/contract';
import type { Context } from 'hono';
import { AuthProblem } from '../auth-problem.ts';
import type { AuthDeps } from '../deps.ts';
import { takeAttempt } from './attempt.ts';
import { finishAttempt, type Return } from './finish-attempt.ts';
import { sendBack } from './send-back.ts';

const PROVIDER_TEXT_MAX_LENGTH = 500;

/** GET /signin/provider/{provider}/callback. The provider sends the browser back. */
export async function signInProviderCallback(context: Context, deps: AuthDeps): Promise<Response> {
  const { publicUrl } = deps.settings;
  const query = context.req.query();
  const provider = deps.providers.find(context.req.param('provider') ?? '');
  if (provider === undefined) return sendBack(context, publicUrl, words('disabled-endpoint'));
  const attempt = takeAttempt(context, { provider: provider.name, state: query.state }, deps);
  if (query.error !== undefined) {
    return sendBack(context, publicUrl, {
      ...words('oauth-provider-error'),
      provider_error: bounded(query.error),
      provider_error_description: bounded(query.error_description),
      provider_error_url: bounded(query.error_uri),
    });
  }
  if (attempt === undefined) {
    const invalid = { ...words('invalid-state'), provider_state: bounded(query.state) };
    return sendBack(context, publicUrl, invalid);
  }
  const outcome = await arrive(context, deps, { provider, attempt, code: query.code ?? '' });
  return sendBack(context, attempt.redirectTo, { ...outcome, state: attempt.callerState });
}

/** POST of the same address, from a form. Its cookie comes only with a navigation, so the browser is sent around. */
export async function signInProviderForm(context: Context): Promise<Response> {
  const form = new URLSearchParams(await context.req.text());
  const query = new URLSearchParams();
  for (const name of ['code', 'state', 'error', 'error_description', 'error_uri']) {
    const value = form.get(name);
    if (value !== null) query.set(name, value);
  }
  context.header('Cache-Control', 'no-store');
  return context.redirect(`${new URL(context.req.url).pathname}?${query}`, 303);
}

/** What the address says at the end: a refresh token or a code, nothing after a link, or why not. */
async function arrive(
  context: Context,
  deps: AuthDeps,
  { provider, attempt, code }: Return,
): Promise<Record<string, string>> {
  try {
    return await finishAttempt(context, deps, { provider, attempt, code });
  } catch (error) {
    if (!(error instanceof AuthProblem)) throw error;
    await deps.audit(context, {
      kind: 'sign-in-refused',
      userId: attempt.linkTo,
      details: { provider: provider.name, error: error.code, reason: reasonOf(error) },
    });
    return { error: error.code, errorDescription: error.message };
  }
}

function words(code: AuthErrorCode) {
  return { error: code, errorDescription: AUTH_ERRORS[code].message };
}

/** Anybody can open this address with anything in it. */
function bounded(text: string | undefined): string | undefined {
  return text?.slice(0, PROVIDER_TEXT_MAX_LENGTH);
}

/** For the operator: what the provider did. */
function reasonOf({ cause }: AuthProblem): string {
  return cause instanceof Error ? cause.message.slice(0, PROVIDER_TEXT_MAX_LENGTH) : '';
}
