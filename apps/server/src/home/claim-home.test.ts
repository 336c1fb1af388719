import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { claimHome } from './claim-home.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'longshore-claim-'));
});
afterEach(() => rm(home, { recursive: true }));

it('belongs to the first database, for ever', async () => {
  await claimHome(home, 'first');
  await claimHome(home, 'first');
  await expect(claimHome(home, 'second')).rejects.toThrow(
    /^DATABASE_URL names another database .+\.$/,
  );
  await claimHome(home, 'first');
});
