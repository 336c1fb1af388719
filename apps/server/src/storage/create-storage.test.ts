import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@longshore/edge-contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Backend, startBackend } from '../../test/backend.ts';
import { fileClient, filesOnDisk } from '../../test/storage/file-client.ts';
import { createStorage } from './create-storage.ts';

const DAY_S = 86_400;

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(async () => {
  expect(backend.errors).toEqual([]);
  await backend.stop();
});

it('removes unreferenced files daily, except those of running uploads', async () => {
  const ada = await backend.signUp();
  await fileClient(backend, ada).upload('mine');
  const kept = await filesOnDisk(backend);
  const orphan = (name: string) => join(backend.folder, 'files', 'kept', name);
  for (const name of ['old', 'new']) await writeFile(orphan(name), 'x');
  const yesterday = Date.now() / 1_000 - DAY_S - 10;
  for (const name of ['old', ...kept]) await utimes(orphan(name), yesterday, yesterday);

  await backend.storage.removeOrphans();
  expect((await filesOnDisk(backend)).sort()).toEqual([...kept, 'new'].sort());

  await backend.db.deleteFrom('auth.users').where('id', '=', ada.user.id).execute();
  await backend.storage.removeOrphans();
  expect(await filesOnDisk(backend)).toEqual(['new']);
});

it('removes files of interrupted uploads at the start', async () => {
  const client = fileClient(backend, await backend.signUp());
  const { id } = await client.upload('mine');
  const orphan = join(backend.folder, 'files', 'kept', 'left-behind');
  await writeFile(orphan, 'x');
  const earlier = Date.now() / 1_000 - 10;
  await utimes(orphan, earlier, earlier);
  const next = await createStorage({
    db: backend.db,
    clock: systemClock,
    folder: join(backend.folder, 'files'),
    keysFolder: join(backend.folder, 'keys'),
    maxFileBytes: 1,
    quotaBytes: 1,
    url: 'http://localhost:1337/v1/storage',
    version: '0.1.0',
    resolveCaller: async () => ({ kind: 'unauthenticated' }),
    logError: (error) => void backend.errors.push(error),
  });
  await expect.poll(() => filesOnDisk(backend)).not.toContain('left-behind');
  await next.stop();
  expect(await (await client.request(`/files/${id}`)).text()).toBe('mine');
});
