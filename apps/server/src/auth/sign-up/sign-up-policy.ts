import type { AuthErrorCode } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { matchesReadableCode } from '../../secrets/readable-code.ts';
import type { Secret } from '../../secrets/secret.ts';
import { AuthProblem } from '../auth-problem.ts';
import { hasAccounts } from '../first-account/accounts.ts';
import { acceptInvitation, findUsableInvitation } from './invitations.ts';
import { decideSignUp, type SignUp, type SignUpDecision } from './sign-up-rule.ts';
import type { SignUpSettings } from './sign-up-settings.ts';

/** A sign-up with what permits it. */
export type SignUpRequest = SignUp & {
  setupCode?: Secret | undefined;
  invitation?: Secret | undefined;
};

export type Admission = Extract<SignUpDecision, { kind: 'admitted' }>;

/** Decides whether a user may be created. Every endpoint that creates users calls it. */
export type SignUpPolicy = {
  /** Throws an `AuthProblem` if the sign-up is not allowed now. */
  check(db: Database, request: SignUpRequest): Promise<Admission>;
  /**
   * Checks, then creates the user. Of several simultaneous sign-ups with the set-up code or with one invitation, one
   * succeeds.
   */
  createUser<User extends { id: string } | undefined>(
    db: Database,
    request: SignUpRequest,
    create: (db: Database, admission: Admission) => Promise<User>,
  ): Promise<User>;
};

export type SignUpPolicyDeps = {
  /** Undefined: the first account needs no code. */
  setupCode: Secret | undefined;
  settings: Pick<SignUpSettings, 'current'>;
};

export function createSignUpPolicy({ setupCode, settings }: SignUpPolicyDeps): SignUpPolicy {
  return {
    check,
    async createUser(db, request, create) {
      const { invitation, isEmailVerified, isAnonymous = false } = request;
      const isFirst = !isAnonymous && !(await hasAccounts(db));
      const hasCode = request.setupCode !== undefined && setupCode !== undefined;
      // All others are checked without a lock.
      if (!isFirst && !hasCode && invitation === undefined && !isEmailVerified)
        return await create(db, await check(db, request));
      return await inTransaction(db, async (tx) => {
        if (isFirst || hasCode) await lockFirstAccount(tx);
        const admission = await check(tx, request);
        const user = await create(tx, admission);
        const { invitationId } = admission;
        if (user !== undefined && invitationId !== undefined)
          await acceptInvitation(tx, invitationId, user.id);
        return user;
      });
    },
  };

  async function check(db: Database, request: SignUpRequest): Promise<Admission> {
    const hasAccount = await hasAccounts(db);
    requireSetupCode(hasAccount, request.setupCode);
    const decision = decideSignUp({
      rule: await settings.current(db),
      isFirst: !hasAccount,
      signUp: request,
      invitation: await invitationOf(db, request),
      hasToken: request.invitation !== undefined,
    });
    if (decision.kind === 'refused') throw new AuthProblem(decision.code);
    return decision;
  }

  function requireSetupCode(hasAccount: boolean, code: Secret | undefined): void {
    if (setupCode === undefined) return;
    const problem = setupCodeProblem({
      hasAccounts: hasAccount,
      code: code === undefined ? 'none' : matchesReadableCode(setupCode, code) ? 'right' : 'wrong',
    });
    if (problem !== undefined) throw new AuthProblem(problem);
  }
}

async function invitationOf(db: Database, { invitation, isEmailVerified, email }: SignUpRequest) {
  if (invitation !== undefined) return await findUsableInvitation(db, { token: invitation });
  if (!isEmailVerified || email === null) return undefined;
  return await findUsableInvitation(db, { email });
}

async function inTransaction<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  return db.isTransaction ? await work(db) : await db.transaction().execute(work);
}

async function lockFirstAccount(tx: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('first account', 0))`.execute(tx);
}

type SetupCodeUse = { hasAccounts: boolean; code: 'none' | 'wrong' | 'right' };

/**
 * Once there is an account, a sign-up with a code is refused whether the code is right or wrong: the client expects
 * to create the first account, and the response must not reveal whether the code is right.
 */
export function setupCodeProblem({ hasAccounts, code }: SetupCodeUse): AuthErrorCode | undefined {
  if (hasAccounts) return code === 'none' ? undefined : 'setup-code-used';
  if (code === 'none') return 'setup-code-required';
  return code === 'right' ? undefined : 'invalid-setup-code';
}
