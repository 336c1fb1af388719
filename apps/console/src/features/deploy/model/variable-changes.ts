import { MESSAGES } from '../messages.ts';
import type { EnvRow } from './env-rows.ts';

type Env = Record<string, string>;
type Change = keyof typeof MESSAGES.variables.changes;

/** How each variable differs from the stored ones, by key. */
function variableChanges(before: Env, after: Env): Map<string, Change> {
  const changes = new Map<string, Change>();
  for (const [key, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, key)) changes.set(key, 'added');
    else if (before[key] !== value) changes.set(key, 'changed');
  }
  for (const key of Object.keys(before))
    if (!Object.hasOwn(after, key)) changes.set(key, 'removed');
  return changes;
}

/** `LOG_LEVEL added, SESSION_TTL changed`. Names only: the values may be secrets. */
export function variableChangesText(before: Env, after: Env): string {
  return [...variableChanges(before, after)]
    .map(([key, change]) => `${key} ${MESSAGES.variables.changes[change]}`)
    .join(', ');
}

/** Marks of the rows that differ from the stored variables, by row id. */
export function changedRows(rows: EnvRow[], before: Env): Record<string, string> {
  const { tags } = MESSAGES.variables;
  const marked = rows
    .filter(({ key, value }) => key.trim() !== '' && value !== '')
    .map(({ id, key, value }) => {
      const name = key.trim();
      if (!Object.hasOwn(before, name)) return [id, tags.added];
      return [id, before[name] === value ? '' : tags.changed];
    });
  return Object.fromEntries(marked.filter(([, tag]) => tag !== ''));
}
