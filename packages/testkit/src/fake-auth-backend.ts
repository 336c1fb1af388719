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
import { fakeAccountLists } from './fake-account-lists.ts';
import { FAKE_MFA_TICKET, fakeAuthMethods } from './fake-auth-methods.ts';
import { createFakeRefreshTokens, currentToken, type Family } from './fake-refresh-tokens.ts';

export type FakeAuthBackend = {
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Requested paths, in order. */
  calls(): string[];
  /** Body of the last request to this path; undefined if it had none. */
  lastBody(path: string): unknown;
  lastHeaders(path: string): Record<string, string>;
  /** Makes the next requests fail; `network` throws like a broken connection. */
  failNext(times: number, failure: 'network' | AuthError): void;
  /** Creates a session, as after a sign-in on another device. */
  openSession(email?: string): Session;
  /** Changes all users. Existing sessions see it when they load the user or refresh. */
  changeUsers(changes: Partial<User>): void;
  /** Ends all sessions. */
  revokeAll(): void;
};

export type FakeAuthOptions = {
  now?(): number;
  accessTokenExpiresIn?: number;
  requireVerifiedEmail?: boolean;
  /** Every sign-in with one factor returns an MFA ticket instead of a session. */
  requireSecondFactor?: boolean;
  /** Whether a spent refresh token still returns its successor, as in Longshore. */
  hasGracePeriod?: boolean;
};

type Account = { email: string; password: string; isVerified: boolean };

/** An auth service in memory. Rotates refresh tokens like the real one. */
export function createFakeAuthBackend(options: FakeAuthOptions = {}): FakeAuthBackend {
  const { now = Date.now, accessTokenExpiresIn = 900, hasGracePeriod = true } = options;
  const refreshTokens = createFakeRefreshTokens({ now, hasGracePeriod });
  const accounts = new Map<string, Account>();
  const calls: string[] = [];
  const lastRequests = new Map<string, RequestInit>();
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

  /** The only response with the field `activeMfaType`. */
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

  /** Ending all sessions is authorised with the access token, ending one with its refresh token. */
  function signOut({ all, refreshToken }: Record<string, unknown>, authorization = ''): Response {
    const user = users.get(authorization)?.();
    if (all === true && user === undefined) return refused('invalid-request');
    if (all === true) refreshTokens.revokeOf(user?.email ?? '');
    else refreshTokens.revoke(String(refreshToken));
    return Response.json('OK');
  }

  /** Ends the sessions of anonymous users, or registers them if nothing is left to prove. */
  function deanonymize(email: string): Response {
    refreshTokens.changeAnonymous((family) =>
      options.requireVerifiedEmail || options.requireSecondFactor
        ? undefined
        : Object.assign(family, { email, isAnonymous: false }),
    );
    return Response.json(options.requireSecondFactor ? { mfa: { ticket: FAKE_MFA_TICKET } } : 'OK');
  }

  const respondToAuthMethod = fakeAuthMethods(openSession, options.requireSecondFactor);
  const respondToAccountList = fakeAccountLists();
  const headersOf = (init: RequestInit | undefined) => init?.headers as Record<string, string>;

  return {
    async fetch(url, init) {
      const { path, parameter } = pathOf(url);
      calls.push(path);
      lastRequests.set(path, init ?? {});
      // Responses are asynchronous, so that requests of two tabs overlap.
      await new Promise((resolve) => setImmediate(resolve));
      init?.signal?.throwIfAborted();
      const failure = failures.shift();
      if (failure === 'network') throw new TypeError('fetch failed');
      if (failure !== undefined) return Response.json(failure, { status: failure.status });
      const body = bodyOf(init);
      const isUser = users.has(headersOf(init)?.authorization ?? '');
      if (!isUser && needsUser(path, parsedBody(init))) return refused('unauthorized');
      if (path === AUTH_PATHS.signUpEmailPassword) return signUp(body);
      if (path === AUTH_PATHS.signInEmailPassword) return signIn(body);
      if (path === AUTH_PATHS.token) return refresh(body.refreshToken);
      if (path === AUTH_PATHS.signOut) {
        return signOut(parsedBody(init), headersOf(init).authorization);
      }
      if (path === AUTH_PATHS.deanonymize) return deanonymize(body.email);
      if (path === AUTH_PATHS.user) return currentUser(headersOf(init).authorization ?? '');
      const response =
        respondToAccountList(init?.method ?? 'GET', path, parameter) ??
        respondToAuthMethod(path, parsedBody(init));
      if (response !== undefined) return response;
      return Response.json({ status: 404, error: 'not-found', message: path }, { status: 404 });
    },
    calls: () => [...calls],
    lastBody: (path) => jsonBody(lastRequests.get(path)),
    lastHeaders: (path) => ({ ...headersOf(lastRequests.get(path)) }),
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

/** The longest matching path, because some paths are suffixes of others, and the value of its parameter. */
function pathOf(url: string): { path: string; parameter: string } {
  const byLength = Object.values(AUTH_PATHS).sort((one, other) => other.length - one.length);
  for (const path of byLength) {
    const match = new RegExp(`${path.replace(/:\w+/, '([^/]+)')}$`).exec(url);
    if (match) return { path, parameter: decodeURIComponent(match[1] ?? '') };
  }
  return { path: url, parameter: '' };
}

/** Requests that the server accepts only with an access token. A ticket replaces it for a new password. */
function needsUser(path: string, body: Record<string, unknown>): boolean {
  if (path === AUTH_PATHS.changePassword) return body.ticket === undefined;
  return USER_PATHS.includes(path);
}

const USER_PATHS: string[] = [
  AUTH_PATHS.deanonymize,
  AUTH_PATHS.changeEmail,
  AUTH_PATHS.linkIdToken,
  AUTH_PATHS.addSecurityKey,
  AUTH_PATHS.addSecurityKeyVerify,
  AUTH_PATHS.elevateWebauthn,
  AUTH_PATHS.elevateWebauthnVerify,
  AUTH_PATHS.proofStatus,
  AUTH_PATHS.elevatePassword,
  AUTH_PATHS.elevateTotp,
  AUTH_PATHS.elevateOtpEmail,
  AUTH_PATHS.elevateOtpEmailVerify,
  AUTH_PATHS.createPat,
  AUTH_PATHS.pats,
  AUTH_PATHS.pat,
  AUTH_PATHS.sessions,
  AUTH_PATHS.session,
  AUTH_PATHS.events,
  AUTH_PATHS.securityKeys,
  AUTH_PATHS.securityKey,
  AUTH_PATHS.generateTotp,
  AUTH_PATHS.changeMfa,
  AUTH_PATHS.providerTokens,
  AUTH_PATHS.refreshProviderTokens,
];

function jsonBody(init: RequestInit | undefined): unknown {
  return typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
}

function parsedBody(init: RequestInit | undefined): Record<string, unknown> {
  const body = jsonBody(init);
  return isRecord(body) ? body : {};
}

function bodyOf(init: RequestInit | undefined): Account & { refreshToken: string } {
  const body = parsedBody(init);
  return {
    email: String(body.email),
    password: String(body.password),
    isVerified: false,
    refreshToken: String(body.refreshToken),
  };
}

function refused(code: AuthErrorCode): Response {
  const error = authError(code);
  return Response.json(error, { status: error.status });
}
