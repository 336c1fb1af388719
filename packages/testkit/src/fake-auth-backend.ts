import {
  AUTH_PATHS,
  type AuthError,
  type AuthErrorCode,
  authError,
  isRecord,
  type Session,
} from '@longshore/contract';
import { buildUser } from './build-user.ts';
import { FAKE_MFA_TICKET, fakeAuthMethods } from './fake-auth-methods.ts';
import { createFakeRefreshTokens, currentToken, type Family } from './fake-refresh-tokens.ts';

export type FakeAuthBackend = {
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Paths asked for, in order. */
  calls(): string[];
  /** What the last call to this path sent. */
  lastBody(path: string): unknown;
  lastHeaders(path: string): Record<string, string>;
  /** The next calls fail this way: `network` as if the cable were cut. */
  failNext(times: number, failure: 'network' | AuthError): void;
  /** Makes a session as if the person had signed in elsewhere. */
  openSession(email?: string): Session;
  /** Forgets every session. */
  revokeAll(): void;
};

export type FakeAuthOptions = {
  now?(): number;
  accessTokenExpiresIn?: number;
  requireVerifiedEmail?: boolean;
  /** A password alone brings a ticket, as for somebody with a second factor. */
  requireSecondFactor?: boolean;
  /** Whether a spent refresh token still answers with its successor, as our server's do. */
  hasGrace?: boolean;
};

type Account = { email: string; password: string; isVerified: boolean };

/** An auth service in memory that rotates refresh tokens as the real one does. */
export function createFakeAuthBackend(options: FakeAuthOptions = {}): FakeAuthBackend {
  const { now = Date.now, accessTokenExpiresIn = 900, hasGrace = true } = options;
  const refreshTokens = createFakeRefreshTokens({ now, hasGrace });
  const accounts = new Map<string, Account>();
  const calls: string[] = [];
  const sent = new Map<string, RequestInit>();
  let failures: ('network' | AuthError)[] = [];
  let lastNumber = 0;

  function sessionOf(family: Family): Session {
    lastNumber += 1;
    return {
      accessToken: `access-${lastNumber}`,
      accessTokenExpiresIn,
      refreshToken: currentToken(family),
      refreshTokenId: `id-of-${family.email}`,
      user: buildUser({
        id: `user-${family.email}`,
        email: family.email,
        isAnonymous: family.isAnonymous,
      }),
    };
  }

  function openSession(email = 'ada@example.com', isAnonymous = false): Session {
    return sessionOf(refreshTokens.issue(email, isAnonymous));
  }

  function signUp({ email, password }: Account): Response {
    if (accounts.has(email)) return refused('user-already-exists');
    const isVerified = options.requireVerifiedEmail !== true;
    accounts.set(email, { email, password, isVerified });
    return Response.json(isVerified ? { session: openSession(email) } : { session: null });
  }

  function signIn({ email, password }: Account): Response {
    const account = accounts.get(email);
    if (account?.password !== password) return refused('invalid-email-password');
    if (!account.isVerified) return refused('unverified-user');
    if (options.requireSecondFactor) return Response.json({ mfa: { ticket: FAKE_MFA_TICKET } });
    return Response.json({ session: openSession(email) });
  }

  function refresh(token: string): Response {
    const family = refreshTokens.rotate(token);
    return family ? Response.json(sessionOf(family)) : refused('invalid-refresh-token');
  }

  function signOut(token: string): Response {
    refreshTokens.revoke(token);
    return Response.json('OK');
  }

  /** Ends the sessions of somebody anonymous, or gives them a name where no address is verified first. */
  function deanonymize(email: string): Response {
    refreshTokens.changeAnonymous((family) =>
      options.requireVerifiedEmail
        ? undefined
        : Object.assign(family, { email, isAnonymous: false }),
    );
    return Response.json('OK');
  }

  const byMethod = fakeAuthMethods(openSession);

  return {
    async fetch(url, init) {
      const path = pathOf(url);
      calls.push(path);
      sent.set(path, init ?? {});
      // Answers come later than questions, so that two tabs can really meet.
      await new Promise((resolve) => setImmediate(resolve));
      init?.signal?.throwIfAborted();
      const failure = failures.shift();
      if (failure === 'network') throw new TypeError('fetch failed');
      if (failure !== undefined) return Response.json(failure, { status: failure.status });
      const body = bodyOf(init);
      if (path === AUTH_PATHS.signUpEmailPassword) return signUp(body);
      if (path === AUTH_PATHS.signInEmailPassword) return signIn(body);
      if (path === AUTH_PATHS.token) return refresh(body.refreshToken);
      if (path === AUTH_PATHS.signOut) return signOut(body.refreshToken);
      if (path === AUTH_PATHS.deanonymize) return deanonymize(body.email);
      const answer = byMethod(path, parsedBody(init));
      if (answer !== undefined) return answer;
      return Response.json({ status: 404, error: 'not-found', message: path }, { status: 404 });
    },
    calls: () => [...calls],
    lastBody: (path) => parsedBody(sent.get(path)),
    lastHeaders: (path) => ({ ...(sent.get(path)?.headers as Record<string, string>) }),
    failNext(times, failure) {
      failures = [...failures, ...Array.from({ length: times }, () => failure)];
    },
    openSession,
    revokeAll: refreshTokens.revokeAll,
  };
}

/** The longest known path, because some are the end of others. */
function pathOf(url: string): string {
  const known = Object.values(AUTH_PATHS).filter((path) => url.endsWith(path));
  return known.sort((one, other) => other.length - one.length)[0] ?? url;
}

function parsedBody(init: RequestInit | undefined): Record<string, unknown> {
  const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : {};
  return isRecord(body) ? body : {};
}

function bodyOf(init: RequestInit | undefined): Account & { refreshToken: string } {
  const given = parsedBody(init);
  return {
    email: String(given.email),
    password: String(given.password),
    isVerified: false,
    refreshToken: String(given.refreshToken),
  };
}

function refused(code: AuthErrorCode): Response {
  const error = authError(code);
  return Response.json(error, { status: error.status });
}
