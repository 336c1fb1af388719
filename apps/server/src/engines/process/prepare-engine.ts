import { chmod, copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolveHost } from '../../outbound/resolve-host.ts';
import { findConfinementTools } from '../../processes/confine.ts';
import { detectIsolation } from '../../sandbox/isolation.ts';
import { LOCAL_GIT_CONFIG } from '../local-git-config.ts';
import { openControlGroups } from './app-control-groups.ts';
import { DEFAULT_LIMITS, type EngineDeps, type ProcessEngineDeps } from './deps.ts';
import { appIdRange, type IdRange } from './id-range.ts';
import { createIdentities } from './identities.ts';
import { recordsFolder } from './layout.ts';
import { describeLimits } from './process-limits.ts';

const STATIC_SERVER = fileURLToPath(import.meta.resolve('../../build/static-server.ts'));

/** Creates the files that all apps share, and detects what this machine supports. */
export async function prepareEngine(deps: ProcessEngineDeps): Promise<EngineDeps> {
  const range = deps.isRoot ? await identityRange() : undefined;
  const programs = join(deps.dataDir, 'programs');
  await mkdir(recordsFolder(deps.dataDir), { recursive: true, mode: 0o700 });
  await mkdir(programs, { recursive: true });
  await chmod(programs, 0o755);
  const staticServer = join(programs, 'static-server.ts');
  const localGitConfig = join(programs, 'local-sources.gitconfig');
  await replace(staticServer, (draft) => copyFile(STATIC_SERVER, draft));
  await replace(localGitConfig, (draft) => writeFile(draft, LOCAL_GIT_CONFIG));
  const confinement = findConfinementTools();
  const groups = deps.isRoot ? openControlGroups(deps.dataDir) : undefined;
  const hasOwnIdentities = range !== undefined;
  const isolation = await detectIsolation({
    isRoot: deps.isRoot,
    hasControlGroups: groups !== undefined,
    hasIdRange: hasOwnIdentities,
    diskProblem: Promise.resolve(undefined),
  });
  deps.logInfo(
    describeLimits({
      hasGroups: groups !== undefined,
      hasOwnIdentities,
      hasPrlimit: confinement.prlimit !== undefined,
    }),
  );
  return {
    ...deps,
    limits: { ...DEFAULT_LIMITS, ...deps.limits },
    identities: createIdentities(deps.dataDir, range),
    isolation,
    hasOwnIdentities,
    confinement,
    groups,
    resolve: resolveHost,
    staticServer,
    localGitConfig,
  };
}

/** The range of ids for apps; undefined unless uids and gids have the same range. */
async function identityRange(): Promise<IdRange | undefined> {
  const uids = appIdRange(await readFile('/proc/self/uid_map', 'utf8'));
  const gids = appIdRange(await readFile('/proc/self/gid_map', 'utf8'));
  const isSame = uids?.first === gids?.first && uids?.count === gids?.count;
  return isSame ? uids : undefined;
}

async function replace(path: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.new`;
  await write(draft);
  await chmod(draft, 0o644);
  await rename(draft, path);
}
