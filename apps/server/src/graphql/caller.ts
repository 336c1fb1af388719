import type { Secret } from '../secrets/secret.ts';
import { GraphqlProblem } from './graphql-problem.ts';

/** What the auth side found in the Authorization header; handed in by `server.ts`. */
export type Credentials =
  | { kind: 'nobody' }
  | { kind: 'refused'; why: 'malformed' | 'expired' | 'forged' }
  | {
      kind: 'identified';
      identified: {
        userId: string;
        defaultRole: string;
        allowedRoles: string[];
        sessionId: string | undefined;
        expiresAt: number;
      };
    };

/** `expiresAt` is when the token ends; the admin secret never does. */
export type GraphqlCaller =
  | { role: 'public' }
  | { role: 'user'; userId: string; sessionId: string | undefined; expiresAt: number }
  | { role: 'admin' };

/** Who sent these headers, over HTTP or in the first message of a socket. Throws why nobody is let in. */
export type CallerOf = (header: Header) => Promise<GraphqlCaller>;

type Header = (name: string) => string | undefined;

export type CallerDeps = {
  credentials: (authorization: string | undefined) => Promise<Credentials>;
  /** Without one, nobody is admin. */
  adminSecret: Secret | undefined;
};

const REFUSALS = {
  malformed: ['invalid-headers', 'Malformed Authorization header'],
  expired: ['invalid-jwt', 'Could not verify JWT: JWTExpired'],
  forged: ['invalid-jwt', 'Could not verify JWT: JWSError JWSInvalidSignature'],
} as const;

/** Hasura's rules, wire §5.2: the admin secret, then the token, and nobody is `public`. */
export function createCallerOf({ credentials, adminSecret }: CallerDeps): CallerOf {
  return async (header) => {
    const secret = header('x-hasura-admin-secret');
    if (secret === undefined) {
      return bearerCaller(await credentials(header('authorization')), header('x-hasura-role'));
    }
    if (adminSecret?.equals(secret)) return actingAs(header);
    const message = 'invalid "x-hasura-admin-secret"/"x-hasura-access-key"';
    throw new GraphqlProblem('access-denied', message);
  };
}

/** A token names its roles; the role header may choose among them. */
function bearerCaller(credentials: Credentials, roleHeader: string | undefined): GraphqlCaller {
  if (credentials.kind === 'nobody') return { role: 'public' };
  if (credentials.kind === 'refused') {
    const [code, message] = REFUSALS[credentials.why];
    throw new GraphqlProblem(code, message);
  }
  const { userId, defaultRole, allowedRoles, sessionId, expiresAt } = credentials.identified;
  const asked = roleHeader ?? defaultRole;
  if (!allowedRoles.includes(asked)) {
    throw new GraphqlProblem('access-denied', 'Your requested role is not in allowed roles');
  }
  return asked === 'public' ? { role: 'public' } : { role: 'user', userId, sessionId, expiresAt };
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** The operator may act as anybody: the headers are the session then. */
function actingAs(header: Header): GraphqlCaller {
  const role = header('x-hasura-role') ?? 'admin';
  if (role === 'admin') return { role };
  if (role !== 'user' && role !== 'me') return { role: 'public' };
  const userId = header('x-hasura-user-id')?.toLowerCase();
  if (userId === undefined) {
    throw new GraphqlProblem('not-found', 'missing session variable: "x-hasura-user-id"');
  }
  if (!UUID.test(userId)) {
    throw new GraphqlProblem('data-exception', `invalid input syntax for type uuid: "${userId}"`);
  }
  return { role: 'user', userId, sessionId: undefined, expiresAt: Number.POSITIVE_INFINITY };
}
