import {
  AUTH_PATHS,
  type AuthError,
  type AuthErrorCode,
  authError,
  isRecord,
  type Session,
  type User,
} from '@longshore/contract';
import { buildUser } from './build-user.ts';
import { FAKE_MFA_TICKET, fakeAuthMethods } from './fake-auth-methods.ts';
import { fakeOwnAccount } from './fake-own-account.ts';
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
  /** Everybody is so from now on; who is signed in already hears of it when they ask, or refresh. */
  changeUsers(changes: Partial<User>): void;
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
  const users = new Map<string, () => User>();
  let changes: Partial<User> = {};
  let failures: ('network' | AuthError)[] = [];
  let lastNumber = 0;

  function sessionOf(family: Family): Session {
    lastNumber += 1;
    const accessToken = `access-${lastNumber}`;
    const user = () => userOf(family);
    users.set(`Bearer ${accessToken}`, user);
    return {
      accessToken,
      accessTokenExpiresIn,
      refreshToken: currentToken(family),
      refreshTokenId: `id-of-${family.email}`,
      user: user(),
    };
  }

  function userOf({ email, isAnonymous }: Family): User {
    return buildUser({ id: `user-${email}`, email, isAnonymous, ...changes });
  }

  /** Only this answer tells of the second factor. Wire §2.2. */
  function currentUser(authorization: string): Response {
    const user = users.get(authorization)?.();
    return user ? Response.json({ activeMfaType: null, ...user }) : refused('unauthorized');
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
  const ownAccount = fakeOwnAccount();
  const headersOf = (init: RequestInit | undefined) => init?.headers as Record<string, string>;

  return {
    async fetch(url, init) {
      const { path, parameter } = pathOf(url);
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
      if (path === AUTH_PATHS.user) return currentUser(headersOf(init).authorization ?? '');
      const answer =
        ownAccount(init?.method ?? 'GET', path, parameter) ?? byMethod(path, parsedBody(init));
      if (answer !== undefined) return answer;
      return Response.json({ status: 404, error: 'not-found', message: path }, { status: 404 });
    },
    calls: () => [...calls],
    lastBody: (path) => parsedBody(sent.get(path)),
    lastHeaders: (path) => ({ ...headersOf(sent.get(path)) }),
    failNext(times, failure) {
      failures = [...failures, ...Array.from({ length: times }, () => failure)];
    },
    openSession,
    changeUsers(next) {
      changes = { ...changes, ...next };
    },
    revokeAll: refreshTokens.revokeAll,
  };
}

/** The longest known path, because some are the end of others; and what stands for its parameter. */
function pathOf(url: string): { path: string; parameter: string } {
  const byLength = Object.values(AUTH_PATHS).sort((one, other) => other.length - one.length);
  for (const path of byLength) {
    const match = new RegExp(`${path.replace(/:\w+/, '([^/]+)')}$`).exec(url);
    if (match) return { path, parameter: decodeURIComponent(match[1] ?? '') };
  }
  return { path: url, parameter: '' };
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
