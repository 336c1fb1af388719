import type { Transaction } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import type { Scope } from '../sql/scope.ts';
import type { Statement } from '../sql/statement.ts';
import type { ValueRules } from './values-check.ts';

/** What every write needs: the one transaction of its request, whose rows it may touch, and the rules. */
export type Write = {
  tx: Transaction<Schema>;
  scope: Scope;
  rules: ValueRules;
  alias: Statement['alias'];
  /** The release that is gone back to, where that is what is done. */
  rollbackTo?: number;
};
