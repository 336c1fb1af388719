import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import { z } from 'zod';
import { Secret } from '../../secrets/secret.ts';
import { AuthProblem } from '../auth-problem.ts';
import { codeChallengeField } from '../code-exchange/code-challenge.ts';
import type { AuthDeps } from '../deps.ts';
import { signUpOptions } from '../sign-up-options.ts';

const Attempt = z.object({
  provider: z.string(),
  /** Comes back in the address; the rest only in the cookie. */
  state: z.string(),
  verifier: z.string(),
  nonce: z.string(),
  redirectTo: z.string(),
  /** The caller's own, handed back to it. */
  callerState: z.string().optional(),
  codeChallenge: codeChallengeField,
  /** Set: the account is linked to this user instead of signing in. */
  linkTo: z.string().optional(),
  options: signUpOptions,
  expiresAt: z.number(),
});

/** A way to a provider and back. Its other half is a sealed cookie, so that only the browser that left can return. */
export type Attempt = z.infer<typeof Attempt>;

type Keeping = Pick<AuthDeps, 'seal' | 'settings' | 'clock'>;

/** Time to sign in at the provider, with a second factor. */
const LIFETIME_SECONDS = 600;
/** Browsers drop longer ones. */
const COOKIE_MAX_LENGTH = 3_800;
const COOKIE = 'longshore-provider';

export function keepAttempt(
  context: Context,
  attempt: Omit<Attempt, 'expiresAt'>,
  { seal, settings, clock }: Keeping,
): void {
  const expiresAt = clock.now() + LIFETIME_SECONDS * 1_000;
  const sealed = seal.close(new Secret(JSON.stringify({ ...attempt, expiresAt })));
  if (sealed.length > COOKIE_MAX_LENGTH) throw new AuthProblem('invalid-request');
  setCookie(context, COOKIE, sealed, { ...cookieOptions(settings), maxAge: LIFETIME_SECONDS });
}

/** The attempt this browser left with. Good once: the cookie goes, whatever comes of it. */
export function takeAttempt(
  context: Context,
  { provider, state }: { provider: string; state: string | undefined },
  { seal, settings, clock }: Keeping,
): Attempt | undefined {
  const options = cookieOptions(settings);
  const sealed = getCookie(context, COOKIE, options.prefix);
  deleteCookie(context, COOKIE, options);
  const attempt = sealed === undefined ? undefined : opened(sealed, seal);
  if (attempt === undefined || state === undefined) return undefined;
  const isGood =
    attempt.provider === provider &&
    attempt.expiresAt > clock.now() &&
    timingSafeEqual(hashOf(attempt.state), hashOf(state));
  return isGood ? attempt : undefined;
}

function opened(sealed: string, seal: Keeping['seal']): Attempt | undefined {
  try {
    return Attempt.parse(JSON.parse(seal.open(sealed).reveal()));
  } catch {
    return undefined;
  }
}

/** Lax: the way back is a navigation from another site. The prefix keeps neighbouring hosts from planting one. */
function cookieOptions({ publicUrl }: Keeping['settings']) {
  const isSecure = publicUrl.startsWith('https://');
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure,
    ...(isSecure ? { prefix: 'host' } : {}),
  } as const satisfies CookieOptions;
}

function hashOf(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}
