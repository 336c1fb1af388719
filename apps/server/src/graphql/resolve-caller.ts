import type { Secret } from '../secrets/secret.ts';
import { GraphqlProblem } from './graphql-problem.ts';

/** What the auth service found in the Authorization header. */
export type BearerCheck =
  | { kind: 'unauthenticated' }
  | { kind: 'refused'; why: 'malformed' | 'expired' | 'forged' | 'ended' }
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

/** `expiresAt` is the end of the token; the admin secret has none. */
export type GraphqlCaller =
  | { role: 'public' }
  | { role: 'user'; userId: string; sessionId: string | undefined; expiresAt: number }
  | { role: 'admin' };

/** Finds who sent these headers, over HTTP or in the first message of a socket. Throws why the caller is refused. */
export type ResolveGraphqlCaller = (header: Header) => Promise<GraphqlCaller>;

type Header = (name: string) => string | undefined;

export type CallerResolverDeps = {
  checkBearer: (authorization: string | undefined) => Promise<BearerCheck>;
  /** Without one, no caller is admin. */
  adminSecret: Secret | undefined;
};

const REFUSALS = {
  malformed: ['invalid-headers', 'Malformed Authorization header'],
  expired: ['invalid-jwt', 'Could not verify JWT: JWTExpired'],
  ended: ['invalid-jwt', 'Could not verify JWT: the session has ended'],
  forged: ['invalid-jwt', 'Could not verify JWT: JWSError JWSInvalidSignature'],
} as const;

/** Hasura's rules: the admin secret first, then the token; a caller without either has the role `public`. */
export function createGraphqlCallerResolver({
  checkBearer,
  adminSecret,
}: CallerResolverDeps): ResolveGraphqlCaller {
  return async (header) => {
    const secret = header('x-hasura-admin-secret');
    if (secret === undefined) {
      return bearerCaller(await checkBearer(header('authorization')), header('x-hasura-role'));
    }
    if (adminSecret?.equals(secret)) return adminCaller(header);
    const message = 'invalid "x-hasura-admin-secret"/"x-hasura-access-key"';
    throw new GraphqlProblem('access-denied', message);
  };
}

/** The role header chooses among the roles in the token. */
function bearerCaller(bearer: BearerCheck, roleHeader: string | undefined): GraphqlCaller {
  if (bearer.kind === 'unauthenticated') return { role: 'public' };
  if (bearer.kind === 'refused') {
    const [code, message] = REFUSALS[bearer.why];
    throw new GraphqlProblem(code, message);
  }
  const { userId, defaultRole, allowedRoles, sessionId, expiresAt } = bearer.identified;
  const role = roleHeader ?? defaultRole;
  if (!allowedRoles.includes(role)) {
    throw new GraphqlProblem('access-denied', 'Your requested role is not in allowed roles');
  }
  return role === 'public' ? { role: 'public' } : { role: 'user', userId, sessionId, expiresAt };
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** The operator may act as any user, named by headers. */
function adminCaller(header: Header): GraphqlCaller {
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
