import { access, chmod, constants, mkdir, readlink, realpath, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartProblem } from '../lifecycle/start-problem.ts';
import { chooseDataDir } from './choose-data-dir.ts';
import { ancestorsOf, readPathModes } from './path-permissions.ts';

export type DataDirDeps = {
  configuredDir: string;
  isRoot: boolean;
  /** Prints a line for the operator when the data is not stored in the configured directory. */
  print(line: string): void;
  fallbackRoot?: string;
};

const FALLBACK_ROOT = '/var/lib/longshore';
/** In the configured directory: a link to the relocated data directory. */
const RELOCATED_LINK = 'home';
/** The folder of the database: where it exists, the directory is in use. */
const DATABASE_FOLDER = 'postgres';

/** The directory of the database, the programs and the apps. The users they run as can pass through it. */
export async function resolveDataDir({
  configuredDir,
  isRoot,
  print,
  fallbackRoot = FALLBACK_ROOT,
}: DataDirDeps): Promise<string> {
  const realDir = await createConfiguredDir(configuredDir);
  const choice = chooseDataDir({
    configuredDir: realDir,
    isRoot,
    ancestors: await readPathModes(ancestorsOf(realDir)),
    fallbackRoot,
    existing: await findExistingData(realDir),
  });
  if (choice.kind === 'inaccessible') throw new StartProblem(choice.message);
  if (choice.kind === 'relocated') {
    await mkdir(dirname(choice.path), { recursive: true, mode: 0o711 });
    await symlink(choice.path, join(realDir, RELOCATED_LINK)).catch(() => {});
    await chmod(realDir, 0o700);
    print(`Database and apps are stored in ${choice.path}, ${choice.reason}.`);
  }
  await mkdir(choice.path, { recursive: true });
  await chmod(choice.path, choice.mode);
  return choice.path;
}

async function createConfiguredDir(configuredDir: string): Promise<string> {
  try {
    await mkdir(configuredDir, { recursive: true, mode: 0o700 });
    const path = await realpath(configuredDir);
    await access(path, constants.W_OK | constants.X_OK);
    return path;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new StartProblem(`LONGSHORE_DATA_DIR ${configuredDir} cannot be used (${code}).`, {
      cause: error,
    });
  }
}

async function findExistingData(configuredDir: string) {
  const path = await readlink(join(configuredDir, RELOCATED_LINK)).catch(() => undefined);
  if (path !== undefined) return { kind: 'relocated', path } as const;
  const hasDatabase = await access(join(configuredDir, DATABASE_FOLDER)).then(
    () => true,
    () => false,
  );
  return { kind: hasDatabase ? 'configured' : 'none' } as const;
}
