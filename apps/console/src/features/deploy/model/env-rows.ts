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
