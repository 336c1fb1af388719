import { type DocumentNode, Kind, visit } from 'graphql';
import { ROW_TABLES, type RowTable } from '../../db/change.ts';
import { TABLES } from '../tables/tables.ts';

const ALL: ReadonlySet<RowTable> = new Set(ROW_TABLES);

/** Of a table `resources`, `resources_by_pk` …; of a way to its related rows `app`, `releases_aggregate` … */
const WORDS: readonly (readonly [RegExp, RowTable])[] = Object.values(TABLES).flatMap(
  ({ name, relationships }) => [
    [new RegExp(`^${name}(_|$)`), name] as const,
    ...Object.entries(relationships).map(
      ([way, { to }]) => [new RegExp(`^${way}(_aggregate)?$`), to] as const,
    ),
  ],
);

/**
 * The tables that a document may read. It goes by the words alone, wherever they stand: one table too many costs an
 * execution, one too few would lose a change. A document without any such word is taken to read them all.
 */
export function tablesRead(document: DocumentNode): ReadonlySet<RowTable> {
  const tables = new Set<RowTable>();
  const note = (name: string) => {
    for (const [word, table] of WORDS) if (word.test(name)) tables.add(table);
  };
  visit(document, {
    [Kind.FIELD]: (field) => note(field.name.value),
    [Kind.OBJECT_FIELD]: (field) => note(field.name.value),
    // A condition that comes in a variable can lead to any table.
    [Kind.NAMED_TYPE]: (type) => {
      if (/_(bool_exp|order_by)$/.test(type.name.value)) for (const table of ALL) tables.add(table);
    },
  });
  return tables.size === 0 ? ALL : tables;
}
