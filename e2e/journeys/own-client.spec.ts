import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signUpOwnClient } from '../support/own-client.ts';
import { sharedLongshore } from '../support/shared-longshore.ts';

/** Our own client outside a browser, with files and functions of a real server. */
const longshore = sharedLongshore({ LONGSHORE_REQUIRE_VERIFIED_EMAIL: 'false' });

const signUp = () => signUpOwnClient(longshore.url);

it('stores, reads, shares and removes files', async () => {
  const { files } = await signUp();
  const uploaded = await files.upload({
    files: [{ file: new Blob(['hello']), name: 'hello.txt' }],
    bucketId: 'default',
  });
  expect(uploaded).toMatchObject({ ok: true, data: [{ name: 'hello.txt', size: 5 }] });
  const id = uploaded.ok ? (uploaded.data[0]?.id ?? '') : '';

  const downloaded = await files.download(id, { width: 10 });
  expect(downloaded.ok && (await downloaded.data.text())).toBe('hello');

  const link = await files.presignedUrl(id);
  expect(link.ok && (await (await fetch(link.data)).text())).toBe('hello');

  expect(await files.delete(id)).toEqual({ ok: true, data: undefined });
  expect(await files.download(id)).toMatchObject({
    ok: false,
    error: { status: 404, message: 'File does not exist' },
  });
});

it('reports why files are refused', async () => {
  const { files } = await signUp();
  const file = { file: new Blob(['x']), name: 'a' };
  expect(await files.upload({ files: [file], bucketId: 'nowhere' })).toMatchObject({
    ok: false,
    error: { status: 404, message: 'bucket not found' },
  });
  expect(await files.presignedUrl('no id')).toMatchObject({
    ok: false,
    error: { status: 400, message: 'Invalid file id' },
  });
});

it('calls functions', async () => {
  const path = join(longshore.dataDir, 'functions', 'double.js');
  await writeFile(
    path,
    `export default async (request, { userId }) =>
      userId ? Response.json(2 * (await request.json())) : new Response('who?', { status: 401 })`,
  );
  const client = await signUp();
  expect(await client.functions.call('/double', 21)).toEqual({
    ok: true,
    data: { data: 42, status: 200 },
  });
  await client.auth.signOut();
  expect(await client.functions.call('/double', 21)).toMatchObject({
    ok: false,
    error: { status: 401, message: 'who?' },
  });
});
