import { GraphqlProblem } from '../graphql-problem.ts';
import type { SelectedField } from '../selection.ts';
import type { Table } from '../tables/table.ts';
import { typeOf } from '../tables/tables.ts';
import { rootField } from './root-json.ts';

/** What a stream follows, and from where. */
export type Followed = {
  table: Table;
  column: string;
  start: unknown;
  ordering: 'asc' | 'desc';
  batchSize: number;
};

/** A batch is held in memory as a whole; who asks for more gets it in more of them. */
const MAX_BATCH_ROWS = 100;

type Cursor = { initial_value: Record<string, unknown>; ordering?: 'ASC' | 'DESC' | null };

/** Hasura, too, follows one column only. */
export function followedColumn({ name, args }: SelectedField): Followed {
  const { table } = rootField(name);
  const cursors = args.cursor as (Cursor | null)[];
  const entries = cursors.flatMap((cursor) => Object.entries(cursor?.initial_value ?? {}));
  const [first] = entries;
  if (first === undefined || entries.length !== 1) {
    throw invalid('a stream follows exactly one column');
  }
  const [column, start] = first;
  if (typeOf(table, column) === 'jsonb') throw invalid('a stream cannot follow a jsonb column');
  const batchSize = args.batch_size as number;
  if (batchSize < 1) throw invalid('batch_size must be at least 1');
  const ordering = cursors[0]?.ordering === 'DESC' ? 'desc' : 'asc';
  return { table, column, start, ordering, batchSize: Math.min(batchSize, MAX_BATCH_ROWS) };
}

function invalid(message: string): GraphqlProblem {
  return new GraphqlProblem('validation-failed', message);
}
