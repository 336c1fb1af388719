import { closeSync, openSync } from 'node:fs';
import { findProcess, readBootId } from '../../processes/process-table.ts';
import { instanceGroupName } from './app-control-groups.ts';
import { createTemporary, openFiles, removeOldTemporaries } from './app-files.ts';
import type { Isolated } from './deps.ts';
import { blameAppDisk } from './disk-space.ts';
import { writeInstanceRecord } from './instance-record.ts';
import { instanceCommand, type Launch, type Launched, openInstanceFiles } from './launch.ts';
import { appLayout } from './layout.ts';
import { folderNumber } from './release-record.ts';
import { appView, SANDBOX } from './sandbox-view.ts';

/** In its own network an app listens on all addresses. */
const ALL_ADDRESSES = '0.0.0.0';

/** Starts an instance in a sandbox. It runs only once its record names its process and its address. */
export async function launchIsolated(
  launch: Launch,
  { sandbox, names }: Isolated,
  port: number | undefined,
): Promise<Launched> {
  const { spec, record, release, identity, deps, signal } = launch;
  const layout = appLayout(deps.dataDir, spec.appId);
  await names.add(spec);
  const [disk, files] = await Promise.all([
    openFiles(spec.appId, deps, signal),
    openInstanceFiles(launch),
  ]);
  const status = openSync(layout.instance(record.id).status, 'w', 0o600);
  try {
    await removeOldTemporaries(spec.appId, disk, { deps, signal });
    const root = release.root ?? layout.release(folderNumber(release));
    const seen = { ...SANDBOX, release: root };
    const host = {
      release: disk.release(folderNumber(release)),
      home: disk.home,
      temporary: await createTemporary(disk, record.id, identity),
    };
    const command = {
      ...instanceCommand(launch, { ...seen, host: ALL_ADDRESSES, port }),
      ...appView(host, root, deps),
      network: { kind: 'isolated', projectId: spec.projectId } as const,
      group: instanceGroupName(spec.appId, record),
      limits: deps.limits.instance,
    };
    const { output, alive } = files;
    const waiting = await sandbox.prepare(command, { output, alive, status }, signal);
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
    waiting.letGo();
    return { record: started, exited };
  } catch (error) {
    throw await blameAppDisk(error, deps);
  } finally {
    closeSync(status);
    await files.close();
    await disk.close();
  }
}
