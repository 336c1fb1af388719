import { isRecord } from './type-guards.ts';

/** Whether apps are isolated from each other, for the account that asks. */
export type IsolationStatus = {
  /** Why apps are not isolated, as sentences. Empty: they are isolated. */
  missing: string[];
  whoMayDeploy: 'everybody' | 'operators';
  /** Whether the account that asks may deploy. */
  mayDeploy: boolean;
  /** Whether it is an operator. */
  isOperator: boolean;
  /** Installs missing programs. Null for other accounts, and if none is missing. */
  installCommand: string | null;
};

export function decodeIsolationStatus(body: unknown): IsolationStatus | undefined {
  if (!isRecord(body) || !Array.isArray(body.missing)) return undefined;
  const { missing, whoMayDeploy, mayDeploy, isOperator, installCommand } = body;
  if (typeof mayDeploy !== 'boolean' || typeof isOperator !== 'boolean') return undefined;
  if (whoMayDeploy !== 'everybody' && whoMayDeploy !== 'operators') return undefined;
  return {
    missing: missing.filter((sentence) => typeof sentence === 'string'),
    whoMayDeploy,
    mayDeploy,
    isOperator,
    installCommand: typeof installCommand === 'string' ? installCommand : null,
  };
}
