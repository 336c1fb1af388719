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
  /** Sent to the provider; the other fields are only in the cookie. */
  state: z.string(),
  verifier: z.string(),
  nonce: z.string(),
  redirectTo: z.string(),
  /** The client's own `state`, returned in the final redirect. */
  callerState: z.string().optional(),
  codeChallenge: codeChallengeField,
  /** If set, the account is linked to the user of this session and no session is opened. */
  linkTo: z.object({ userId: z.string(), sessionId: z.string() }).optional(),
  options: signUpOptions,
  expiresAt: z.number(),
});

/** A sign-in at a provider in progress, in an encrypted cookie: only the browser that started it can finish it. */
export type Attempt = z.infer<typeof Attempt>;

type CookieDeps = Pick<AuthDeps, 'seal' | 'settings' | 'clock'>;

/** Enough time to sign in at the provider, including a second factor. */
const LIFETIME_SECONDS = 600;
/** Browsers drop larger cookies. */
const COOKIE_MAX_LENGTH = 3_800;
const COOKIE = 'longshore-provider';

export function saveAttempt(
  context: Context,
  attempt: Omit<Attempt, 'expiresAt'>,
  { seal, settings, clock }: CookieDeps,
): void {
  const expiresAt = clock.now() + LIFETIME_SECONDS * 1_000;
  const sealed = seal.encrypt(new Secret(JSON.stringify({ ...attempt, expiresAt })));
  if (sealed.length > COOKIE_MAX_LENGTH) throw new AuthProblem('invalid-request');
  setCookie(context, COOKIE, sealed, { ...cookieOptions(settings), maxAge: LIFETIME_SECONDS });
}

/** The attempt that this browser started. Valid once: the cookie is deleted in every case. */
export function takeAttempt(
  context: Context,
  { provider, state }: { provider: string; state: string | undefined },
  { seal, settings, clock }: CookieDeps,
): Attempt | undefined {
  const options = cookieOptions(settings);
  const sealed = getCookie(context, COOKIE, options.prefix);
  deleteCookie(context, COOKIE, options);
  const attempt = sealed === undefined ? undefined : unseal(sealed, seal);
  if (attempt === undefined || state === undefined) return undefined;
  const isValid =
    attempt.provider === provider &&
    attempt.expiresAt > clock.now() &&
    timingSafeEqual(sha256(attempt.state), sha256(state));
  return isValid ? attempt : undefined;
}

function unseal(sealed: string, seal: CookieDeps['seal']): Attempt | undefined {
  try {
    return Attempt.parse(JSON.parse(seal.decrypt(sealed).reveal()));
  } catch {
    return undefined;
  }
}

/** Lax: the callback is a navigation from another site. The `__Host-` prefix prevents sibling hosts from setting it. */
function cookieOptions({ publicUrl }: CookieDeps['settings']) {
  const isSecure = publicUrl.startsWith('https://');
  return {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure,
    ...(isSecure ? { prefix: 'host' } : {}),
  } as const satisfies CookieOptions;
}

function sha256(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}
