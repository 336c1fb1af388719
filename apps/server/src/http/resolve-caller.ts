import type { Secret } from '../secrets/secret.ts';

/** What the auth service found in the Authorization header. */
export type BearerCheck =
  | { kind: 'unauthenticated' }
  | { kind: 'refused' }
  | {
      kind: 'identified';
      identified: { userId: string; defaultRole: string; allowedRoles: string[] };
    };

/** Who sent a request, according to all its headers together. */
export type Caller =
  | { kind: 'unauthenticated' }
  | { kind: 'user'; userId: string; role: string; roles: string[] }
  | { kind: 'admin' }
  | { kind: 'refused'; why: 'token' | 'role' | 'secret' };

export type CallerResolverDeps = {
  checkBearer(authorization: string | undefined): Promise<BearerCheck>;
  /** Without one, no caller is admin. */
  adminSecret: Secret | undefined;
};

export type ResolveCaller = (headers: Headers) => Promise<Caller>;

const PUBLIC = 'public';
const ADMIN = 'admin';
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Checks the admin secret first, then the token. A caller that asks for the role `public` counts as unauthenticated. */
export function createCallerResolver({
  checkBearer,
  adminSecret,
}: CallerResolverDeps): ResolveCaller {
  return async (headers) => {
    const secret = headers.get('x-hasura-admin-secret');
    if (secret === null) {
      const authorization = headers.get('authorization') ?? undefined;
      return bearerCaller(await checkBearer(authorization), headers.get('x-hasura-role'));
    }
    if (adminSecret?.equals(secret)) return adminCaller(headers);
    return { kind: 'refused', why: 'secret' };
  };
}

/** The role header chooses among the roles in the token. */
function bearerCaller(bearer: BearerCheck, requestedRole: string | null): Caller {
  if (bearer.kind === 'refused') return { kind: 'refused', why: 'token' };
  if (bearer.kind === 'unauthenticated') {
    const isAllowed = requestedRole === null || requestedRole === PUBLIC;
    return isAllowed ? { kind: 'unauthenticated' } : { kind: 'refused', why: 'role' };
  }
  const { userId, defaultRole, allowedRoles } = bearer.identified;
  const role = requestedRole ?? defaultRole;
  if (role === PUBLIC) return { kind: 'unauthenticated' };
  if (!allowedRoles.includes(role)) return { kind: 'refused', why: 'role' };
  return { kind: 'user', userId, role, roles: allowedRoles };
}

/** The operator may act as any user, named by headers. */
function adminCaller(headers: Headers): Caller {
  const role = headers.get('x-hasura-role') ?? ADMIN;
  const userId = headers.get('x-hasura-user-id')?.toLowerCase() ?? '';
  if (role === PUBLIC) return { kind: 'unauthenticated' };
  if (UUID.test(userId)) return { kind: 'user', userId, role, roles: [role] };
  return role === ADMIN ? { kind: 'admin' } : { kind: 'refused', why: 'role' };
}
