/** What the auth side found in the Authorization header; handed in by `server.ts`. */
export type Credentials =
  | { kind: 'nobody' }
  | { kind: 'refused' }
  | {
      kind: 'identified';
      identified: { userId: string; defaultRole: string; allowedRoles: string[] };
    };

/** Who asks a service, once token and role header were looked at together. */
export type Asking =
  | { kind: 'nobody' }
  | { kind: 'user'; userId: string; role: string; roles: string[] }
  | { kind: 'refused'; why: 'token' | 'role' };

const PUBLIC = 'public';

/** A token names its roles and the role header may choose among them. Whoever asks as `public` is nobody. */
export function whoAsks(credentials: Credentials, roleHeader: string | undefined): Asking {
  if (credentials.kind === 'refused') return { kind: 'refused', why: 'token' };
  if (credentials.kind === 'nobody') {
    const mayAsk = roleHeader === undefined || roleHeader === PUBLIC;
    return mayAsk ? { kind: 'nobody' } : { kind: 'refused', why: 'role' };
  }
  const { userId, defaultRole, allowedRoles } = credentials.identified;
  const role = roleHeader ?? defaultRole;
  if (role === PUBLIC) return { kind: 'nobody' };
  if (!allowedRoles.includes(role)) return { kind: 'refused', why: 'role' };
  return { kind: 'user', userId, role, roles: allowedRoles };
}
