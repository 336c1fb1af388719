import type { Usage } from './account-usage.ts';
import type { CertificateWarning } from './certificate-status.ts';
import { SIGN_UP_MODES, type SignUpMode } from './sign-up-mode.ts';
import { areStrings, areStringsOrNull, isRecord } from './type-guards.ts';

/** Paths of the operator service, relative to it. */
export const OPERATOR_PATHS = {
  signUp: '/sign-up',
  invitations: '/invitations',
  invitation: '/invitations/:id',
  sendInvitation: '/invitations/:id/send',
  users: '/users',
  userQuotas: '/users/:id/quotas',
  disableUser: '/users/:id/disable',
  enableUser: '/users/:id/enable',
  health: '/health',
  certificates: '/certificates',
  events: '/events',
} as const;

/** `isConfigured`: LONGSHORE_SIGN_UP is set, so the console cannot change it. */
export type SignUpState = { mode: SignUpMode; domains: string[]; isConfigured: boolean };

export type InvitationState = 'open' | 'accepted' | 'expired' | 'revoked';

export type Invitation = {
  id: string;
  email: string;
  state: InvitationState;
  createdAt: string;
  expiresAt: string;
};

/** `mail`: whether the invitation was also mailed. No other response contains the link. */
export type NewInvitation = {
  invitation: Invitation;
  link: string;
  mail: 'sent' | 'failed' | 'not-configured';
};

/** Limits of one user. Null: the configured limit; 0: no limit. */
export type UserQuotas = {
  apps: number | null;
  memoryBytes: number | null;
  cpus: number | null;
  builds: number | null;
  diskBytes: number | null;
};

/** A user as the operator sees it: numbers, and nothing of the content of apps. */
export type OperatedUser = {
  id: string;
  /** The email address or the phone number. Null for anonymous users. */
  name: string | null;
  createdAt: string;
  lastSignInAt: string | null;
  isVerified: boolean;
  hasSecondFactor: boolean;
  role: 'operator' | 'user' | 'anonymous';
  isDisabled: boolean;
  quotas: UserQuotas;
  usage: Record<keyof UserQuotas, Usage>;
};

export type UserPage = { users: OperatedUser[]; total: number; pageSize: number };

export type SystemHealth = {
  version: string;
  nodeVersion: string;
  startedAt: string;
  engine: { kind: string; version: string | null };
  database: { version: string; bytes: number; isEmbedded: boolean };
  /** Null: the server has no connection to it. */
  edge: { build: string; workers: number } | null;
  disk: { usedBytes: number; totalBytes: number } | null;
  /** Why apps are not isolated, as sentences. */
  missingIsolation: string[];
  builds: { running: number; waiting: number };
  /** Apps that are being reconciled now. */
  reconciling: number;
  users: number;
};

/** `name` is the email address or phone number of the user. */
export type AuditEvent = {
  id: string;
  at: string;
  kind: string;
  name: string | null;
  address: string | null;
  userAgent: string | null;
  details: Record<string, unknown>;
};

/** `next` is where the following page starts. Null: there is none. */
export type AuditPage = { events: AuditEvent[]; next: string | null };

export function isSignUpState(value: unknown): value is SignUpState {
  return (
    isRecord(value) &&
    SIGN_UP_MODES.some((mode) => mode === value.mode) &&
    Array.isArray(value.domains) &&
    areStrings(...value.domains) &&
    typeof value.isConfigured === 'boolean'
  );
}

export function isInvitation(value: unknown): value is Invitation {
  return (
    isRecord(value) &&
    areStrings(value.id, value.email, value.state, value.createdAt, value.expiresAt)
  );
}

export function isNewInvitation(value: unknown): value is NewInvitation {
  return isRecord(value) && isInvitation(value.invitation) && areStrings(value.link, value.mail);
}

export function isUserPage(value: unknown): value is UserPage {
  return (
    isRecord(value) &&
    typeof value.total === 'number' &&
    typeof value.pageSize === 'number' &&
    Array.isArray(value.users) &&
    value.users.every(isOperatedUser)
  );
}

function isOperatedUser(value: unknown): boolean {
  return (
    isRecord(value) &&
    areStrings(value.id, value.createdAt, value.role) &&
    areStringsOrNull(value.name, value.lastSignInAt) &&
    isRecord(value.quotas) &&
    isRecord(value.usage)
  );
}

export function isCertificateWarnings(value: unknown): value is CertificateWarning[] {
  const isWarning = (each: unknown) => isRecord(each) && areStrings(each.domain, each.kind);
  return Array.isArray(value) && value.every(isWarning);
}

export function isSystemHealth(value: unknown): value is SystemHealth {
  return (
    isRecord(value) &&
    areStrings(value.version, value.nodeVersion, value.startedAt) &&
    [value.engine, value.database, value.builds].every(isRecord) &&
    (value.edge === null || isRecord(value.edge)) &&
    Array.isArray(value.missingIsolation)
  );
}

export function isAuditPage(value: unknown): value is AuditPage {
  return (
    isRecord(value) &&
    areStringsOrNull(value.next) &&
    Array.isArray(value.events) &&
    value.events.every((event) => isRecord(event) && areStrings(event.id, event.at, event.kind))
  );
}
