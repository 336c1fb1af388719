import { closeSync, existsSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { findProcess, readBootId } from '../../processes/process-table.ts';
import type { Mount } from '../../sandbox/sandbox.ts';
import { EngineFailure } from '../failure.ts';
import { instanceGroupName } from './app-control-groups.ts';
import { type AppFiles, createTemporary, openFiles, removeOldTemporaries } from './app-files.ts';
import type { Isolated } from './deps.ts';
import { blameAppDisk } from './disk-space.ts';
import { isIsolated, readInstanceRecords, writeInstanceRecord } from './instance-record.ts';
import { instanceCommand, type Launch, type Launched, openOutput } from './launch.ts';
import { type AppLayout, appLayout } from './layout.ts';
import { refreshCopies } from './plain-files.ts';
import { readPlainFilesState } from './plain-files-state.ts';
import { folderNumber, readBuiltReleases } from './release-record.ts';
import { APP_LINKS, appMounts, SANDBOX } from './sandbox-view.ts';

/** In its own network an app listens on all addresses. */
export const ALL_ADDRESSES = '0.0.0.0';

/** Starts an instance in a sandbox. Meanwhile its disk is opened, which takes as long as connecting its network. */
export async function launchIsolated(
  launch: Launch,
  isolated: Isolated,
  port: number | undefined,
): Promise<Launched> {
  const { spec, deps } = launch;
  isolated.guard.checkApp(spec.appId);
  await isolated.names.add(spec);
  const opening = openCurrentFiles(launch);
  try {
    return await launchOnDisk(opening, launch, isolated, port);
  } catch (error) {
    throw error instanceof EngineFailure ? error : await blameAppDisk(error, deps);
  } finally {
    await opening.then(
      (disk) => disk.close(),
      () => {},
    );
  }
}

/** The instance runs only once its record names its process and its address. */
async function launchOnDisk(
  opening: Promise<AppFiles>,
  launch: Launch,
  { sandbox }: Isolated,
  port: number | undefined,
): Promise<Launched> {
  const { spec, record, release, deps, signal } = launch;
  const layout = appLayout(deps.dataDir, spec.appId);
  const root = release.root ?? layout.release(folderNumber(release));
  const mounts = opening.then((disk) => mountsOf(disk, root, launch));
  // The sandbox waits for it, unless something fails before.
  mounts.catch(() => {});
  const output = await openOutput(launch);
  const status = openSync(layout.instance(record.id).status, 'w', 0o600);
  try {
    const command = {
      ...instanceCommand(launch, { ...SANDBOX, release: root, host: ALL_ADDRESSES, port }),
      mounts,
      links: APP_LINKS,
      network: { kind: 'isolated', projectId: spec.projectId } as const,
      group: instanceGroupName(spec.appId, record),
      limits: spec.size,
    };
    const waiting = await sandbox.prepare(command, { output: output.fd, status }, signal);
    const { pid, attachment, exited } = waiting;
    const startTime = findProcess(pid)?.startTime ?? '';
    const process = { pid, startTime, bootId: readBootId() };
    const started = { ...record, process, attachment };
    try {
      await writeInstanceRecord(layout, started);
    } catch (error) {
      if (attachment !== undefined) await sandbox.detach(attachment);
      throw error;
    }
    await waiting.letGo();
    return { record: started, exited };
  } catch (error) {
    // The failure of the disk says more than that of the sandbox which waited for it.
    await mounts;
    throw error;
  } finally {
    closeSync(status);
    await output.close();
  }
}

async function mountsOf(disk: AppFiles, root: string, launch: Launch): Promise<Mount[]> {
  const { spec, record, release, identity, deps, signal } = launch;
  await requireFiles(disk, launch);
  await removeOldTemporaries(spec.appId, disk, { deps, signal });
  const files = {
    release: disk.release(folderNumber(release)),
    home: disk.home,
    temporary: createTemporary(disk, record.id, identity),
  };
  return appMounts(files, root, deps);
}

/** A damaged disk may have lost the release. Without a record, it is rebuilt. */
async function requireFiles(disk: AppFiles, { spec, release, deps }: Launch): Promise<void> {
  const folder = folderNumber(release);
  if (existsSync(disk.release(folder))) return;
  const layout = appLayout(deps.dataDir, spec.appId);
  const built = await readBuiltReleases(layout, deps);
  for (const lost of built.filter((record) => folderNumber(record) === folder)) {
    await rm(layout.releaseRecord(lost.number), { force: true });
  }
  throw new EngineFailure('engine-failed', [
    'The files of the release are missing. Rebuilding it.',
  ]);
}

/** Opens the files of the app. A copy of plain folders that no instance uses is brought up to date. */
async function openCurrentFiles(launch: Launch): Promise<AppFiles> {
  const { spec, deps, signal } = launch;
  const isCopyOld = await isOldCopy(appLayout(deps.dataDir, spec.appId));
  const files = await openFiles(spec.appId, deps, signal);
  try {
    if (isCopyOld) await refreshCopies(launch, files);
    return files;
  } catch (error) {
    await files.close();
    throw error;
  }
}

/** Whether the disk is a copy from an earlier attempt, which no instance uses. */
async function isOldCopy(layout: AppLayout): Promise<boolean> {
  if (!existsSync(layout.disk) || (await readPlainFilesState(layout)) !== 'copied') return false;
  const records = await readInstanceRecords(layout);
  return !records.some((record) => isIsolated(record) && record.exit === undefined);
}
