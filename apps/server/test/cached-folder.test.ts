import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { cachedFolderPath, openCachedFolder } from './cached-folder.ts';

const EIGHT_DAYS_AGO = new Date(Date.now() - 8 * 24 * 3_600_000);

let name: string;
let fills: string[];
beforeEach(() => {
  name = `test-${randomUUID()}`;
  fills = [];
  onTestFinished(() => rm(dirname(pathOf('any')), { recursive: true, force: true }));
});

const pathOf = (key: string) => cachedFolderPath({ name, key });

function open(key: string, fill = write): Promise<string> {
  return openCachedFolder({ name, key, fill });
}

async function write(folder: string): Promise<void> {
  fills.push(folder);
  await writeFile(join(folder, 'file'), 'content');
}

it('is filled once by those who need it at the same time', async () => {
  const paths = await Promise.all([open('one'), open('one'), open('one')]);
  expect(new Set(paths)).toEqual(new Set([pathOf('one')]));
  expect(fills).toHaveLength(1);
  expect(await readFile(join(pathOf('one'), 'file'), 'utf8')).toBe('content');
});

it('is filled again after a failure, without what was left behind', async () => {
  const failing = open('one', async (folder) => {
    await writeFile(join(folder, 'half'), '');
    throw new Error('no wood left');
  });
  await expect(failing).rejects.toThrow('no wood left');
  await open('one');
  expect(await readdir(pathOf('one'))).toEqual(['file']);
});

it('removes folders that were not used for a week', async () => {
  for (const key of ['old', 'used']) {
    await open(key);
    await utimes(pathOf(key), EIGHT_DAYS_AGO, EIGHT_DAYS_AGO);
  }
  await open('used');
  await open('new');
  expect((await readdir(dirname(pathOf('new')))).sort()).toEqual(['new', 'used']);
});
