import { type AppValues, isHibernated, isRecord, needsRelease } from '@longshore/contract';
import type { Database } from '../db/database.ts';
import { ResourceProblem } from '../db/resources.ts';
import { FAILURE_MESSAGES } from '../engines/failure-messages.ts';
import type { Isolation } from '../sandbox/isolation.ts';

/** Who may deploy on this installation. `isOperator` may be called in a transaction. */
export type DeployPolicy = {
  /** It may change, for example when a Docker Engine starts after this server. */
  isolation(): Promise<Isolation>;
  trustEverybody: boolean;
  isOperator(db: Database, userId: string): Promise<boolean>;
};

/** Without isolation the code of an account could read the secrets of another one. */
export function mayDeploy(account: {
  isolation: Isolation;
  trustEverybody: boolean;
  isOperator: boolean;
}): boolean {
  return account.isolation.kind === 'isolated' || account.trustEverybody || account.isOperator;
}

/** What isolation lacks, if this account may therefore not deploy. Undefined: it may. */
export async function deployRefusal(
  db: Database,
  ownerId: string,
  policy: DeployPolicy,
): Promise<string[] | undefined> {
  if (policy.trustEverybody) return undefined;
  const isolation = await policy.isolation();
  // Most installations are isolated: only the others need the database.
  if (isolation.kind === 'isolated') return undefined;
  const isOperator = await policy.isOperator(db, ownerId);
  const isAllowed = mayDeploy({ isolation, trustEverybody: false, isOperator });
  return isAllowed ? undefined : isolation.missing;
}

/** Refuses a deployment before anything is stored. */
export async function requireDeployPermission(
  tx: Database,
  ownerId: string,
  policy: DeployPolicy,
): Promise<void> {
  const missing = await deployRefusal(tx, ownerId, policy);
  if (missing !== undefined) throw new ResourceProblem('invalid', refusalMessage(missing));
}

function refusalMessage(missing: string[]): string {
  const { whatHappened, whatToDo } = FAILURE_MESSAGES['owner-not-allowed'];
  return [whatHappened, ...missing, whatToDo].join(' ');
}

/** Whether the change makes code run that does not run already. An app that runs may be changed otherwise, and hibernated. */
export function startsCode(before: unknown, after: AppValues): boolean {
  if (isHibernated(after)) return false;
  return !isAppValues(before) || isHibernated(before) || needsRelease(before, after);
}

/** Old rows may have values of any form. */
function isAppValues(values: unknown): values is AppValues {
  return (
    isRecord(values) &&
    isRecord(values.source) &&
    isRecord(values.container) &&
    isRecord(values.env) &&
    Array.isArray(values.ports)
  );
}
