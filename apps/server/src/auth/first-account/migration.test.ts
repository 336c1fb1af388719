import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Backend, startBackend, stopWithoutErrors } from '../../../test/backend.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(() => stopWithoutErrors(backend));
beforeEach(() => backend.pool.query('delete from auth.users'));

type OldUser = { email: string | null; at: string; is_anonymous?: boolean; disabled?: boolean };

/** Runs the part of the migration that appoints the operator, on users as they were before. */
async function operatorsAmong(users: OldUser[]): Promise<string[]> {
  const names = { display_name: '', avatar_url: '' };
  const rows = users.map(({ at, ...user }) => ({ ...user, ...names, created_at: at }));
  await backend.db.insertInto('auth.users').values(rows).execute();
  await backend.db.updateTable('auth.users').set({ is_operator: false }).execute();
  const file = new URL('../../db/migrations/0021-operator.sql', import.meta.url);
  const statements = (await readFile(file, 'utf8')).split(/;\n/);
  const appoint = statements.find((each) => each.includes('update auth.users')) ?? '';
  expect(appoint).toContain('set is_operator = true');
  await backend.pool.query(appoint);
  const query = backend.db.selectFrom('auth.users').select('email').where('is_operator', '=', true);
  return (await query.execute()).map(({ email }) => email ?? 'anonymous');
}

const anonymous = { email: null, at: '2026-01-01', is_anonymous: true };
const ada = { email: 'ada@example.com', at: '2026-02-01' };
const eve = { email: 'eve@example.com', at: '2026-03-01' };

it('makes the oldest account the operator, not an older anonymous user', async () => {
  expect(await operatorsAmong([eve, ada, anonymous])).toEqual(['ada@example.com']);
});

it('gives the role of an oldest account that is disabled to nobody else', async () => {
  expect(await operatorsAmong([{ ...ada, disabled: true }, eve])).toEqual(['ada@example.com']);
});

it('appoints one of two accounts of the same moment', async () => {
  expect(await operatorsAmong([ada, { ...eve, at: ada.at }])).toHaveLength(1);
});

it('appoints nobody where there is no account', async () => {
  expect(await operatorsAmong([anonymous])).toEqual([]);
});
