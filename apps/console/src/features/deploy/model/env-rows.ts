import { envKeyProblem } from '@longshore/contract';

export type EnvRow = { id: string; key: string; value: string };

const ASSIGNMENT = /^(?:export\s+)?([^=\s#][^=]*?)\s*=\s*(.*)$/;

export function emptyEnvRow(others: EnvRow[]): EnvRow {
  const highest = Math.max(0, ...others.map((row) => Number(row.id)));
  return { id: String(highest + 1), key: '', value: '' };
}

export function addRow(rows: EnvRow[]): EnvRow[] {
  return [...rows, emptyEnvRow(rows)];
}

/** There is always at least one row (spec-map 5.2). */
export function removeRow(rows: EnvRow[], id: string): EnvRow[] {
  const rest = rows.filter((row) => row.id !== id);
  return rest.length > 0 ? rest : [emptyEnvRow(rows)];
}

export function changeRow(rows: EnvRow[], id: string, change: Partial<EnvRow>): EnvRow[] {
  return rows.map((row) => (row.id === id ? { ...row, ...change, id } : row));
}

/** Whether pasted text is a `.env` file rather than a key. */
export function isEnvText(text: string): boolean {
  return parseEnvText(text).length > 0;
}

/** The keys of the pairs in a pasted `.env` file, each once. */
export function pastedKeys(text: string): string[] {
  return [...new Set(parseEnvText(text).map(([key]) => key))];
}

/** At most so many rows are added for names in an address. */
const MAX_NAMED = 100;

/** The rows with one for each of these names that has none. Names that are not allowed are skipped. */
export function namedRows(rows: EnvRow[], names: readonly string[]): EnvRow[] {
  const missing = [...new Set(names)]
    .filter((name) => envKeyProblem(name) === undefined && rows.every(({ key }) => key !== name))
    .slice(0, MAX_NAMED);
  if (missing.length === 0) return rows;
  return pasteEnv(rows, emptyRowId(rows), missing.map((name) => `${name}=`).join('\n'));
}

/** The row that pasted variables replace; empty if there is none. */
export function emptyRowId(rows: EnvRow[]): string {
  return rows.find(({ key, value }) => key === '' && value === '')?.id ?? '';
}

/** The pasted pairs replace the row they were pasted into if it was empty. An existing key gets the new value. */
export function pasteEnv(rows: EnvRow[], id: string, text: string): EnvRow[] {
  let filled = rows.filter((row) => row.id !== id || row.key !== '' || row.value !== '');
  for (const [key, value] of parseEnvText(text)) {
    const existing = filled.find((row) => row.key === key);
    filled =
      existing === undefined
        ? [...filled, { ...emptyEnvRow([...rows, ...filled]), key, value }]
        : changeRow(filled, existing.id, { value });
  }
  return filled;
}

/** Only rows with both key and value (spec-map 5.2). */
export function envFromRows(rows: EnvRow[]): Record<string, string> {
  const pairs = rows.filter((row) => row.key.trim() !== '' && row.value !== '');
  return Object.fromEntries(pairs.map((row) => [row.key.trim(), row.value]));
}

export function rowsFromEnv(env: Record<string, string>): EnvRow[] {
  const rows = Object.entries(env).map(([key, value], index) => ({
    id: String(index + 1),
    key,
    value,
  }));
  return rows.length > 0 ? rows : [emptyEnvRow([])];
}

function parseEnvText(text: string): [key: string, value: string][] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, key, value] = ASSIGNMENT.exec(line.trim()) ?? [];
    return key === undefined || value === undefined ? [] : [[key, unquote(value)]];
  });
}

function unquote(value: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(value);
  return quoted?.[2] ?? value;
}
