import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, startBackend, stopWithoutErrors } from '../../../test/backend.ts';
import { isOperator } from './accounts.ts';
import { changeDisabled, changeOperator } from './operators.ts';

let backend: Backend;
let ada: string;
let eve: string;
beforeAll(async () => {
  backend = await startBackend();
  ada = (await backend.signUp('ada@example.com')).user.id;
  eve = (await backend.signUp('eve@example.com')).user.id;
});
afterAll(() => stopWithoutErrors(backend));

const change = (email: string, isOperator: boolean) =>
  changeOperator(backend.db, { email, isOperator });

describe('the role operator', () => {
  it('is granted and revoked by the address, in any case', async () => {
    expect(await change(' EVE@example.com', true)).toBe('granted');
    expect(await change('eve@example.com', true)).toBe('unchanged');
    expect(await isOperator(backend.db, eve)).toBe(true);
    expect(await change('eve@example.com', false)).toBe('revoked');
    expect(await isOperator(backend.db, eve)).toBe(false);
  });

  it('is recorded in the log of the account', async () => {
    const query = backend.db.selectFrom('auth.events').select('kind').where('user_id', '=', eve);
    const kinds = (await query.orderBy('id').execute()).map(({ kind }) => kind);
    expect(kinds).toEqual(['signed-up', 'operator-granted', 'operator-revoked']);
  });

  it('needs an enabled account', async () => {
    expect(await change('nobody@example.com', true)).toBe('no-account');
    await changeDisabled(backend.db, { userId: eve, isDisabled: true, by: ada });
    expect(await change('eve@example.com', true)).toBe('no-account');
    await changeDisabled(backend.db, { userId: eve, isDisabled: false, by: ada });
  });

  it('cannot be revoked from the last operator', async () => {
    expect(await change('ada@example.com', false)).toBe('last-operator');
    expect(await isOperator(backend.db, ada)).toBe(true);
  });

  it('stays with one of two operators who are revoked at the same time', async () => {
    await change('eve@example.com', true);
    const changes = ['ada@example.com', 'eve@example.com'].map((email) => change(email, false));
    expect((await Promise.all(changes)).sort()).toEqual(['last-operator', 'revoked']);
    await change('ada@example.com', true);
    await change('eve@example.com', false);
  });

  it('goes to one of many simultaneous first accounts', async () => {
    const fresh = await startBackend();
    await Promise.all(Array.from({ length: 8 }, () => fresh.signUp()));
    const operators = fresh.db
      .selectFrom('auth.users')
      .select('id')
      .where('is_operator', '=', true);
    expect(await operators.execute()).toHaveLength(1);
    await stopWithoutErrors(fresh);
  });
});

describe('disabling', () => {
  it('is refused for the own account, the last operator and unknown users', async () => {
    const disable = (userId: string, by: string) =>
      changeDisabled(backend.db, { userId, isDisabled: true, by });
    expect(await disable(ada, ada)).toBe('self');
    expect(await disable(ada, eve)).toBe('last-operator');
    expect(await disable(randomUUID(), ada)).toBe('no-account');
    expect(await disable(eve, ada)).toBe('changed');
    expect(await disable(eve, ada)).toBe('unchanged');
  });
});
