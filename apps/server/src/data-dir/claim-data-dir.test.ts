import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { claimDataDir } from './claim-data-dir.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'longshore-claim-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

it('rejects every database but the first one', async () => {
  await claimDataDir(dataDir, 'first');
  await claimDataDir(dataDir, 'first');
  await expect(claimDataDir(dataDir, 'second')).rejects.toThrow(
    /^DATABASE_URL names another database .+\.$/,
  );
  await claimDataDir(dataDir, 'first');
});
