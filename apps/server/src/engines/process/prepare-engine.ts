import { chmod, copyFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolveHost } from '../../outbound/resolve-host.ts';
import { findConfinementTools } from '../../processes/confine.ts';
import type { ControlGroups } from '../../processes/control-groups/control-groups.ts';
import { createAppDisks } from '../../sandbox/disk/app-disks.ts';
import type { Running } from '../../sandbox/network/network.ts';
import { type OpenSandbox, openSandbox } from '../../sandbox/open-sandbox.ts';
import { startDiskGuard } from '../disk-guard.ts';
import { LOCAL_GIT_CONFIG } from '../local-git-config.ts';
import { instanceGroupName, killGroupsOfApp, killOtherGroups } from './app-control-groups.ts';
import { DEFAULT_LIMITS, type EngineDeps, type Isolated, type ProcessEngineDeps } from './deps.ts';
import { machineOfDisks } from './disk-guard.ts';
import { createIdentities } from './identities.ts';
import { type InstanceRecord, isProcessAlive, readInstanceRecords } from './instance-record.ts';
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
  const isolatedParts = isolated && (await openIsolated(isolated, groups, deps));
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
    // A sandbox forbids new privileges itself.
    confinement: isolatedParts === undefined ? confinement : { ...confinement, setpriv: undefined },
    groups,
    async closeSandbox() {
      await isolatedParts?.guard.close();
      await close();
    },
    resolve: resolveHost,
    staticServer,
    localGitConfig,
  };
}

type SandboxParts = NonNullable<OpenSandbox['isolated']>;

/** Takes over what an earlier server left running, and removes what it left behind otherwise. */
async function openIsolated(
  { sandbox, network, names }: SandboxParts,
  groups: ControlGroups | undefined,
  { dataDir, limits, logError }: ProcessEngineDeps,
): Promise<Isolated> {
  const appIds = await listFolder(recordsFolder(dataDir));
  const instances = await unfinishedInstances(dataDir, appIds);
  await killOtherGroups(groups, new Set(instances.map(({ group }) => group)));
  const disks = createAppDisks({
    appsFolder: appsFolder(dataDir),
    mountsFolder: join(dataDir, 'mounts'),
    sizeBytes: limits?.diskBytes ?? DEFAULT_LIMITS.diskBytes,
    endUsers: (appId) => killGroupsOfApp(groups, appId),
  });
  await disks.sweep(new AbortController().signal);
  await network.adopt(runningAttachments(instances.map(({ record }) => record)));
  await names.keepOnly(appIds);
  const guard = startDiskGuard(machineOfDisks(dataDir, groups), logError);
  return { sandbox, disks, names, guard };
}

/** Instances whose exit is not recorded, and their control groups. */
async function unfinishedInstances(dataDir: string, appIds: string[]) {
  const ofApp = async (appId: string) =>
    (await readInstanceRecords(appLayout(dataDir, appId)))
      .filter(({ exit }) => exit === undefined)
      .map((record) => ({ record, group: instanceGroupName(appId, record) }));
  return (await Promise.all(appIds.map(ofApp))).flat();
}

function runningAttachments(records: InstanceRecord[]): Running[] {
  return records
    .filter(isProcessAlive)
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
