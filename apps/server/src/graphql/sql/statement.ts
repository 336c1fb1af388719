import { randomUUID } from 'node:crypto';
import { GraphqlProblem } from '../graphql-problem.ts';
import type { Selection } from '../selection.ts';
import type { TableName } from '../tables/table.ts';
import type { Scope } from './scope.ts';
import { type LateParameter, type LateValues, sql } from './sql.ts';

/** What the parts of one statement share. */
export type Statement = {
  /** Not the caller: a statement is the same for all users. */
  scope: Pick<Scope, 'role'>;
  selection: Selection;
  /** A unique alias for one use of the table. */
  alias(table: TableName): string;
  /** The tables used so far. */
  tables: ReadonlySet<TableName>;
  /** What encrypted values start with in the result. */
  mark(): LateParameter;
  /** Whether the statement reads encrypted values. */
  usesMark(): boolean;
};

/** Limits queries that follow relationships back and forth. */
const MAX_TABLE_USES = 60;

export function createStatement({ role }: Pick<Scope, 'role'>, selection: Selection): Statement {
  const tables = new Set<TableName>();
  let uses = 0;
  let usesMark = false;
  return {
    scope: { role },
    selection,
    tables,
    mark() {
      usesMark = true;
      return sql.late('mark');
    },
    usesMark: () => usesMark,
    alias(table) {
      tables.add(table);
      uses += 1;
      if (uses > MAX_TABLE_USES) {
        throw new GraphqlProblem('validation-failed', 'the query follows too many relationships');
      }
      return `t${uses}`;
    },
  };
}

/** For one run of a statement. */
export function lateValues(scope: Scope, maxBytes?: number): LateValues {
  return {
    userId: scope.role === 'user' ? scope.userId : undefined,
    mark: randomUUID(),
    maxBytes,
  };
}
