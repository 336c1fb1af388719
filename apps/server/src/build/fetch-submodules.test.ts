import { expect, it } from 'vitest';
import { EngineFailure } from '../engines/failure.ts';
import { fetchSubmodules } from './fetch-submodules.ts';
import { MAX_SUBMODULES, type Submodule } from './submodules.ts';

const { signal } = new AbortController();
const submodule = (path: string, url = `../${path}`): Submodule => ({ path, commit: '1', url });

function fetchWith(fetchInto: (path: string, source: { url: string }) => Promise<Submodule[]>) {
  const root = { url: 'https://git.example/app', submodules: [submodule('a'), submodule('b')] };
  return fetchSubmodules(root, { fetchInto, writeLine: () => {} }, signal);
}

it('fetches the submodules of submodules, from addresses relative to theirs', async () => {
  const fetched: string[] = [];
  const missing = await fetchWith(async (path, { url }) => {
    fetched.push(`${path} ${url}`);
    return path === 'b' ? [submodule('c', './c')] : [];
  });
  expect(fetched).toEqual([
    'a https://git.example/a',
    'b https://git.example/b',
    'b/c https://git.example/b/c',
  ]);
  expect(missing).toEqual([]);
});

it('stops at a number of submodules', async () => {
  let count = 0;
  const missing = await fetchWith(async () => {
    count += 1;
    return [submodule('a'), submodule('b')];
  });
  expect(count).toBe(MAX_SUBMODULES);
  expect(missing).toEqual([`Only ${MAX_SUBMODULES} submodules were fetched`]);
});

it('leaves out a submodule that cannot be fetched', async () => {
  const missing = await fetchWith(async (path) => {
    if (path === 'a') throw new EngineFailure('repository-unreachable');
    return [];
  });
  expect(missing).toEqual([
    expect.stringMatching(/^The submodule a was not fetched: .* could not be reached\./),
  ]);
});

it('fails with problems of the machine', async () => {
  const failing = fetchWith(async () => {
    throw new EngineFailure('disk-full');
  });
  await expect(failing).rejects.toMatchObject({ reason: 'disk-full' });
});
