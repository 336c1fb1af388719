import { access, chmod, constants, mkdir, readlink, realpath, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { chooseHome } from './choose-home.ts';
import { HomeProblem } from './home-problem.ts';
import { pathModes } from './path-modes.ts';
import { ancestorsOf } from './reachable.ts';

export type HomeDeps = {
  dataDir: string;
  isRoot: boolean;
  /** Takes the one line a person should read when the home is not where they asked. */
  print(line: string): void;
  shelter?: string;
};

const SHELTER = '/var/lib/longshore';
const LINK = 'home';
/** The database's folder: where it is, a home is lived in. */
const LIVED_IN = 'postgres';

/** The folder below which the database, the programs and the apps live, passable for the users they run as. */
export async function reachableHome({
  dataDir,
  isRoot,
  print,
  shelter = SHELTER,
}: HomeDeps): Promise<string> {
  const realDataDir = await makeDataDir(dataDir);
  const choice = chooseHome({
    dataDir: realDataDir,
    isRoot,
    ancestors: await pathModes(ancestorsOf(realDataDir)),
    shelter,
    earlier: await earlierHome(realDataDir),
  });
  if (choice.kind === 'closed') throw new HomeProblem(choice.message);
  if (choice.kind === 'elsewhere') {
    await mkdir(dirname(choice.path), { recursive: true, mode: 0o711 });
    await symlink(choice.path, join(realDataDir, LINK)).catch(() => {});
    await chmod(realDataDir, 0o700);
    print(`Database and apps are kept in ${choice.path}, ${choice.reason}.`);
  }
  await mkdir(choice.path, { recursive: true });
  await chmod(choice.path, choice.mode);
  return choice.path;
}

async function makeDataDir(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const path = await realpath(dataDir);
    await access(path, constants.W_OK | constants.X_OK);
    return path;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new HomeProblem(`LONGSHORE_DATA_DIR ${dataDir} cannot be used (${code}).`, {
      cause: error,
    });
  }
}

async function earlierHome(dataDir: string) {
  const path = await readlink(join(dataDir, LINK)).catch(() => undefined);
  if (path !== undefined) return { kind: 'elsewhere', path } as const;
  const isLivedIn = await access(join(dataDir, LIVED_IN)).then(
    () => true,
    () => false,
  );
  return { kind: isLivedIn ? 'data-dir' : 'none' } as const;
}
