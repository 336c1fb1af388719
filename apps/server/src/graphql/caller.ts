import { GraphqlProblem } from './graphql-problem.ts';
import type { Role } from './schema.ts';

/** What the auth side found in the Authorization header; handed in by `main.ts`. */
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

export type GraphqlCaller =
  | { role: 'public' }
  | { role: 'user'; userId: string; sessionId: string | undefined; expiresAt: number };

const REFUSALS = {
  malformed: ['invalid-headers', 'Malformed Authorization header'],
  expired: ['invalid-jwt', 'Could not verify JWT: JWTExpired'],
  forged: ['invalid-jwt', 'Could not verify JWT: JWSError JWSInvalidSignature'],
} as const;

/** Who sent these headers, over HTTP or in the first message of a socket. Throws why nobody is let in. */
export type CallerOf = (header: (name: string) => string | undefined) => Promise<GraphqlCaller>;

export type CallerDeps = {
  credentials: (authorization: string | undefined) => Promise<Credentials>;
};

export function createCallerOf({ credentials }: CallerDeps): CallerOf {
  return async (header) =>
    bearerCaller(await credentials(header('authorization')), header('x-hasura-role'));
}

/** Hasura's rules: a token names its roles, the role header may choose among them, nobody is `public`. */
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
  const role: Role = asked === 'public' ? 'public' : 'user';
  return role === 'user' ? { role, userId, sessionId, expiresAt } : { role };
}
