import { randomBytes } from 'node:crypto';
import {
  type CertificateWarning,
  isStorable,
  OPERATOR_PATHS,
  SIGN_UP_MODES,
  type SignUpState,
  type SystemHealth,
  type Usage,
} from '@longshore/contract';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Quota } from '../apps/quota.ts';
import { readQuotaOverride, writeQuotaOverride } from '../apps/quota-overrides.ts';
import type { Audit } from '../auth/audit.ts';
import { changeDisabled, type DisableChange } from '../auth/first-account/operators.ts';
import { parseEmailDomain } from '../auth/sign-up/sign-up-rule.ts';
import type { SignUpSettings } from '../auth/sign-up/sign-up-settings.ts';
import type { UserRow } from '../auth/users.ts';
import type { Database } from '../db/database.ts';
import { jsonBody } from '../http/json-body.ts';
import { Problem } from '../http/problem.ts';
import type { AuditChange } from './audit-change.ts';
import { listAuditEvents } from './audit-events.ts';
import { createInvitationEndpoints, type InvitationMailer } from './invitation-endpoints.ts';
import { listUsers, nameOf } from './users.ts';

export type OperatorServiceDeps = {
  db: Database;
  /** The user of the bearer token. Throws for callers without a session. */
  currentUser(context: Context): Promise<UserRow>;
  /** The same, for changes: the user must have proved their identity recently. */
  provedUser(context: Context): Promise<UserRow>;
  /** The notification that the sessions of a user have ended may arrive after the response. */
  forgetSessions(userId: string): void;
  signUpSettings: SignUpSettings;
  audit: Audit;
  usageOf(userId: string, signal: AbortSignal): Promise<Record<keyof Quota, Usage>>;
  health(signal: AbortSignal): Promise<SystemHealth>;
  certificateWarnings(): CertificateWarning[];
  /** Applies changed quotas to apps that wait for them. */
  quotasChanged(userId: string): Promise<void>;
  publicUrl: string;
  /** Undefined: no mail server is configured. */
  mailer: InvitationMailer | undefined;
  logError(error: unknown): void;
};

type OperatorContext = { Variables: { operator: UserRow } };

const SignUpBody = z.object({
  mode: z.enum(SIGN_UP_MODES),
  domains: z.array(z.string().max(253)).max(100).default([]),
});

const limit = (max: number) => z.number().min(0).max(max).nullable();
const wholeLimit = (max: number) => z.number().int().min(0).max(max).nullable();
const MAX_BYTES = 2 ** 50;

const QuotasBody = z.object({
  apps: wholeLimit(1_000_000),
  memoryBytes: wholeLimit(MAX_BYTES),
  cpus: limit(1_000_000),
  builds: wholeLimit(1_000_000),
  diskBytes: wholeLimit(MAX_BYTES),
});

const UserId = z.guid();

/**
 * The API of the operator page. The role is read from the database at each request. For everybody else there is nothing at any
 * of these paths: the response is that of an unknown path.
 */
export function createOperatorService(deps: OperatorServiceDeps): Hono {
  const { db, signUpSettings } = deps;
  const service = new Hono<OperatorContext>();
  service.use('*', async (context, next) => {
    const isChange = context.req.method !== 'GET' && context.req.method !== 'HEAD';
    const user = await deps.currentUser(context);
    if (!user.is_operator || user.disabled) throw nothingHere();
    if (isChange) await deps.provedUser(context);
    if (!isStorable(context.req.query())) throw unreadableQuery();
    context.set('operator', user);
    await next();
  });
  const auditChange: AuditChange = (context, kind, details) =>
    deps.audit(context, { kind, userId: context.get('operator').id, details });

  service.get(OPERATOR_PATHS.signUp, async (context) => context.json(await signUpState()));
  service.put(OPERATOR_PATHS.signUp, async (context) => {
    const { mode, domains: written } = await jsonBody(context, SignUpBody);
    if (signUpSettings.configured !== undefined) {
      throw new Problem(409, 'sign-up-configured', 'LONGSHORE_SIGN_UP decides who may sign up.');
    }
    const domains = mode === 'domains' ? parseDomains(written) : [];
    await signUpSettings.change(db, { mode, domains });
    await auditChange(context, 'sign-up-mode-changed', { mode, domains: domains.join(', ') });
    return context.json(await signUpState());
  });

  service.route('/', createInvitationEndpoints({ ...deps, randomBytes, auditChange }));

  service.get(OPERATOR_PATHS.users, async (context) => {
    const { search = '', page = '0' } = context.req.query();
    return context.json(
      await listUsers({ search, page: /^\d{1,6}$/.test(page) ? Number(page) : 0 }, deps),
    );
  });
  service.put(OPERATOR_PATHS.userQuotas, async (context) => {
    const quotas = await jsonBody(context, QuotasBody);
    const user = await requireUser(context);
    const before = await readQuotaOverride(db, user.id);
    await writeQuotaOverride(db, user.id, quotas);
    await deps.quotasChanged(user.id);
    const changed = Object.entries(quotas).filter(
      ([name, value]) => before[name as keyof Quota] !== value,
    );
    const limits = changed.map(([name, value]) => `${name} ${value ?? 'default'}`).join(', ');
    await auditChange(context, 'quotas-changed', { whom: nameOf(user), limits });
    return context.json('OK');
  });
  service.post(OPERATOR_PATHS.disableUser, (context) => setDisabled(context, true));
  service.post(OPERATOR_PATHS.enableUser, (context) => setDisabled(context, false));

  service.get(OPERATOR_PATHS.health, async (context) =>
    context.json(await deps.health(context.req.raw.signal)),
  );
  service.get(OPERATOR_PATHS.certificates, (context) => context.json(deps.certificateWarnings()));
  service.get(OPERATOR_PATHS.events, async (context) =>
    context.json(await listAuditEvents(db, context.req.query())),
  );
  service.all('*', () => {
    throw nothingHere();
  });
  return service as unknown as Hono;

  async function signUpState(): Promise<SignUpState> {
    const isConfigured = signUpSettings.configured !== undefined;
    return { ...(await signUpSettings.current(db)), isConfigured };
  }

  async function setDisabled(
    context: Context<OperatorContext>,
    isDisabled: boolean,
  ): Promise<Response> {
    const user = await requireUser(context);
    const by = context.get('operator').id;
    const change = await changeDisabled(db, { userId: user.id, isDisabled, by });
    const problem = DISABLE_PROBLEMS[change];
    if (problem !== undefined) throw new Problem(409, change, problem);
    if (change === 'changed') {
      deps.forgetSessions(user.id);
      const kind = isDisabled ? 'user-disabled' : 'user-enabled';
      await auditChange(context, kind, { whom: nameOf(user) });
    }
    return context.json('OK');
  }

  async function requireUser(context: Context): Promise<UserRow> {
    const { data: id } = UserId.safeParse(context.req.param('id'));
    const user =
      id === undefined
        ? undefined
        : await db.selectFrom('auth.users').selectAll().where('id', '=', id).executeTakeFirst();
    if (user === undefined) throw new Problem(404, 'no-such-user', 'There is no such user.');
    return user;
  }
}

const DISABLE_PROBLEMS: Partial<Record<DisableChange, string>> = {
  self: 'You cannot disable your own account.',
  'last-operator': 'The last operator cannot be disabled.',
  'no-account': 'There is no such user.',
};

function parseDomains(written: string[]): string[] {
  const domains = written.map((text) => {
    const domain = parseEmailDomain(text);
    if (domain !== undefined) return domain;
    throw new Problem(400, 'invalid-domain', `"${text}" is not a domain such as example.com.`);
  });
  if (domains.length > 0) return [...new Set(domains)];
  throw new Problem(400, 'invalid-domain', 'Enter at least one domain.');
}

/** Postgres accepts no null characters. */
function unreadableQuery(): Problem {
  return new Problem(400, 'invalid-request', 'The query of the URL is incorrect');
}

/** The same as the server's response to an unknown path. */
function nothingHere(): Problem {
  return new Problem(404, 'not-found', 'There is nothing at this path');
}
