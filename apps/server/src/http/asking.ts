import type { Secret } from '../secrets/secret.ts';

/** What the auth side found in the Authorization header; handed in by `server.ts`. */
export type Credentials =
  | { kind: 'nobody' }
  | { kind: 'refused' }
  | {
      kind: 'identified';
      identified: { userId: string; defaultRole: string; allowedRoles: string[] };
    };

/** Who asks a service, once all headers were looked at together. */
export type Asking =
  | { kind: 'nobody' }
  | { kind: 'user'; userId: string; role: string; roles: string[] }
  | { kind: 'admin' }
  | { kind: 'refused'; why: 'token' | 'role' | 'secret' };

export type AskingDeps = {
  credentials(authorization: string | undefined): Promise<Credentials>;
  /** Without one, nobody is admin. */
  adminSecret: Secret | undefined;
};

export type WhoAsks = (headers: Headers) => Promise<Asking>;

const PUBLIC = 'public';
const ADMIN = 'admin';
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The same rules for every service: the admin secret, then the token. Whoever asks as `public` is nobody. */
export function createWhoAsks({ credentials, adminSecret }: AskingDeps): WhoAsks {
  return async (headers) => {
    const secret = headers.get('x-hasura-admin-secret');
    if (secret === null) {
      const authorization = headers.get('authorization') ?? undefined;
      return byToken(await credentials(authorization), headers.get('x-hasura-role'));
    }
    if (adminSecret?.equals(secret)) return bySecret(headers);
    return { kind: 'refused', why: 'secret' };
  };
}

/** A token names its roles and the role header may choose among them. */
function byToken(credentials: Credentials, asked: string | null): Asking {
  if (credentials.kind === 'refused') return { kind: 'refused', why: 'token' };
  if (credentials.kind === 'nobody') {
    const mayAsk = asked === null || asked === PUBLIC;
    return mayAsk ? { kind: 'nobody' } : { kind: 'refused', why: 'role' };
  }
  const { userId, defaultRole, allowedRoles } = credentials.identified;
  const role = asked ?? defaultRole;
  if (role === PUBLIC) return { kind: 'nobody' };
  if (!allowedRoles.includes(role)) return { kind: 'refused', why: 'role' };
  return { kind: 'user', userId, role, roles: allowedRoles };
}

/** The operator may act as anybody: the headers say as whom. */
function bySecret(headers: Headers): Asking {
  const role = headers.get('x-hasura-role') ?? ADMIN;
  const userId = headers.get('x-hasura-user-id')?.toLowerCase() ?? '';
  if (role === PUBLIC) return { kind: 'nobody' };
  if (UUID.test(userId)) return { kind: 'user', userId, role, roles: [role] };
  return role === ADMIN ? { kind: 'admin' } : { kind: 'refused', why: 'role' };
}
