export type EnvRow = { id: string; key: string; value: string };

const ASSIGNMENT = /^(?:export\s+)?([^=\s#][^=]*?)\s*=\s*(.*)$/;

export function emptyEnvRow(others: EnvRow[]): EnvRow {
  const highest = Math.max(0, ...others.map((row) => Number(row.id)));
  return { id: String(highest + 1), key: '', value: '' };
}

export function withRow(rows: EnvRow[]): EnvRow[] {
  return [...rows, emptyEnvRow(rows)];
}

/** At least one row always stays. Spec §5. */
export function withoutRow(rows: EnvRow[], id: string): EnvRow[] {
  const rest = rows.filter((row) => row.id !== id);
  return rest.length > 0 ? rest : [emptyEnvRow(rows)];
}

export function withChange(rows: EnvRow[], id: string, change: Partial<EnvRow>): EnvRow[] {
  return rows.map((row) => (row.id === id ? { ...row, ...change, id } : row));
}

/** Whether a pasted text is a `.env` file rather than a key. */
export function isEnvText(text: string): boolean {
  return parseEnvText(text).length > 0;
}

/** The pasted pairs take the place of the row they were pasted into. A known key gets the new value. */
export function withPasted(rows: EnvRow[], id: string, text: string): EnvRow[] {
  let filled = rows.filter((row) => row.id !== id || row.key !== '' || row.value !== '');
  for (const [key, value] of parseEnvText(text)) {
    const known = filled.find((row) => row.key === key);
    filled =
      known === undefined
        ? [...filled, { ...emptyEnvRow([...rows, ...filled]), key, value }]
        : withChange(filled, known.id, { value });
  }
  return filled;
}

/** Spec §5: only pairs with both key and value are sent. */
export function envOf(rows: EnvRow[]): Record<string, string> {
  const pairs = rows.filter((row) => row.key.trim() !== '' && row.value !== '');
  return Object.fromEntries(pairs.map((row) => [row.key.trim(), row.value]));
}

export function rowsOf(env: Record<string, string>): EnvRow[] {
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
    return key === undefined || value === undefined ? [] : [[key, unquoted(value)]];
  });
}

function unquoted(value: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(value);
  return quoted?.[2] ?? value;
}
