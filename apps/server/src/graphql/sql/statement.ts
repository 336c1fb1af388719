import { randomUUID } from 'node:crypto';
import { GraphqlProblem } from '../graphql-problem.ts';
import type { Selection } from '../selection.ts';
import type { TableName } from '../tables/table.ts';
import type { Scope } from './scope.ts';

/** What the parts of one statement share. */
export type Statement = {
  scope: Scope;
  selection: Selection;
  /** A unique alias for one use of the table. */
  alias(table: TableName): string;
  /** The tables used so far. */
  tables: ReadonlySet<TableName>;
  /** What encrypted values start with in the result of this statement. Random, so that no stored text contains it. */
  mark(): string;
  /** Undefined if the statement reads no encrypted value. */
  usedMark(): string | undefined;
};

/** Limits queries that follow relationships back and forth. */
const MAX_TABLE_USES = 60;

export function createStatement(scope: Scope, selection: Selection): Statement {
  const tables = new Set<TableName>();
  let uses = 0;
  let usedMark: string | undefined;
  return {
    scope,
    selection,
    tables,
    mark() {
      usedMark ??= randomUUID();
      return usedMark;
    },
    usedMark: () => usedMark,
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
