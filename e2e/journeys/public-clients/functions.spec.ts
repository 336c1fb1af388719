import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectNhost3, connectNhost4, NHOST_3, newEmail, PASSWORD } from '../../support/nhost.ts';
import { sharedLongshore } from '../../support/shared-longshore.ts';

/** Functions of the operator, called with the public clients. */
const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });

const ECHO = `
  export const methods = ['POST', 'GET'];
  export default async (request: Request, { userId, role }: { userId?: string; role: string }) => {
    const sent = request.method === 'POST' ? await request.json() : null;
    if (sent?.refuse) return Response.json({ why: 'because' }, { status: 418 });
    return Response.json({ sent, userId, role });
  };
`;

beforeAll(() => writeFile(join(longshore.dataDir, 'functions', 'echo.ts'), ECHO));

describe.each(NHOST_3)('%s', (name) => {
  it('calls a function signed in and signed out', async () => {
    const nhost = connectNhost3(name, longshore.url);
    const signedOutResult = await nhost.functions.call('echo', { a: 1 });
    expect(signedOutResult).toMatchObject({
      error: null,
      res: { data: { sent: { a: 1 }, role: 'public' } },
    });
    const { session } = await nhost.auth.signUp({ email: newEmail(), password: PASSWORD });
    const { res } = await nhost.functions.call('echo', { a: 2 });
    expect(res).toMatchObject({
      status: 200,
      data: { sent: { a: 2 }, userId: session?.user?.id, role: 'user' },
    });
    await nhost.auth.signOut();
  });

  it('reports why a call failed', async () => {
    const nhost = connectNhost3(name, longshore.url);
    expect(await nhost.functions.call('echo', { refuse: true })).toMatchObject({
      res: null,
      error: { status: 418, message: { why: 'because' } },
    });
    expect(await nhost.functions.call('missing')).toMatchObject({
      error: { status: 404, message: { error: 'function-not-found' } },
    });
  });
});

describe('nhost-js 4', () => {
  it('calls a function signed in and signed out', async () => {
    const nhost = connectNhost4(longshore.url);
    expect((await nhost.functions.fetch('/echo', { method: 'GET' })).body).toMatchObject({
      sent: null,
      role: 'public',
    });
    const { body } = await nhost.auth.signUpEmailPassword({
      email: newEmail(),
      password: PASSWORD,
    });
    expect((await nhost.functions.post('/echo', { a: 1 })).body).toMatchObject({
      sent: { a: 1 },
      userId: body.session?.user?.id,
    });
  });

  it('reports why a call failed', async () => {
    const refused = connectNhost4(longshore.url).functions.post('/echo', { refuse: true });
    await expect(refused).rejects.toMatchObject({ status: 418, body: { why: 'because' } });
  });
});
