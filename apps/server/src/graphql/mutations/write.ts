import type { Transaction } from 'kysely';
import type { AppRules } from '../../apps/check-app-values.ts';
import type { Schema } from '../../db/schema.ts';
import type { Scope } from '../sql/scope.ts';
import type { Statement } from '../sql/statement.ts';

/** What every write needs: the transaction of its request, the rows it may touch, and the rules. */
export type Write = {
  tx: Transaction<Schema>;
  scope: Scope;
  rules: AppRules;
  alias: Statement['alias'];
};
