import { chmod, copyFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolveHost } from '../../outbound/resolve-host.ts';
import { findConfinementTools } from '../../processes/confine.ts';
import { createAppDisks } from '../../sandbox/disk/app-disks.ts';
import { type OpenSandbox, openSandbox } from '../../sandbox/open-sandbox.ts';
import { LOCAL_GIT_CONFIG } from '../local-git-config.ts';
import { DEFAULT_LIMITS, type EngineDeps, type Isolated, type ProcessEngineDeps } from './deps.ts';
import { createIdentities } from './identities.ts';
import { isProcessAlive, readInstanceRecords } from './instance-record.ts';
import { appLayout, appsFolder, recordsFolder } from './layout.ts';
import { describeLimits } from './process-limits.ts';
import { listFolder } from './release-record.ts';

const STATIC_SERVER = fileURLToPath(import.meta.resolve('../../build/static-server.ts'));

/** Creates the files that all apps share, and detects what this machine supports. */
export async function prepareEngine(deps: ProcessEngineDeps): Promise<EngineDeps> {
  const programs = join(deps.dataDir, 'programs');
  await mkdir(recordsFolder(deps.dataDir), { recursive: true, mode: 0o700 });
  await mkdir(programs, { recursive: true });
  await chmod(programs, 0o755);
  const staticServer = join(programs, 'static-server.ts');
  const localGitConfig = join(programs, 'local-sources.gitconfig');
  await replace(staticServer, (draft) => copyFile(STATIC_SERVER, draft));
  await replace(localGitConfig, (draft) => writeFile(draft, LOCAL_GIT_CONFIG));
  const confinement = findConfinementTools();
  const { isolation, groups, idRange, isolated, close } = await (deps.openSandbox ?? openSandbox)({
    dataDir: deps.dataDir,
    isRoot: deps.isRoot,
    programs,
    settings: deps.network,
    ...(deps.detectIsolation && { detectIsolation: deps.detectIsolation }),
    logError: deps.logError,
  });
  const hasOwnIdentities = idRange !== undefined;
  const isolatedParts = isolated && (await openIsolated(isolated, deps));
  const firewallProblem = await isolated?.network.firewallProblem(new AbortController().signal);
  if (firewallProblem !== undefined) deps.logInfo(firewallProblem);
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
    identities: createIdentities(deps.dataDir, idRange),
    isolation,
    isolated: isolatedParts,
    hasOwnIdentities,
    confinement,
    groups,
    closeSandbox: close,
    resolve: resolveHost,
    staticServer,
    localGitConfig,
  };
}

type SandboxParts = NonNullable<OpenSandbox['isolated']>;

/** Takes over what an earlier server left running, and removes what it left behind otherwise. */
async function openIsolated(
  { sandbox, network, names }: SandboxParts,
  { dataDir, limits }: ProcessEngineDeps,
): Promise<Isolated> {
  const disks = createAppDisks({
    appsFolder: appsFolder(dataDir),
    mountsFolder: join(dataDir, 'mounts'),
    sizeBytes: limits?.diskBytes ?? DEFAULT_LIMITS.diskBytes,
  });
  await disks.sweep(new AbortController().signal);
  await network.adopt(await runningAttachments(dataDir));
  await names.keepOnly(await listFolder(recordsFolder(dataDir)));
  return { sandbox, disks, names };
}

async function runningAttachments(dataDir: string) {
  const appIds = await listFolder(recordsFolder(dataDir));
  const records = await Promise.all(
    appIds.map((appId) => readInstanceRecords(appLayout(dataDir, appId))),
  );
  return records
    .flat()
    .filter((record) => record.exit === undefined && isProcessAlive(record))
    .flatMap(({ attachment, networkAlias }) =>
      attachment === undefined ? [] : [{ ...attachment, projectId: networkAlias?.projectId }],
    );
}

async function replace(path: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.new`;
  await write(draft);
  await chmod(draft, 0o644);
  await rename(draft, path);
}
