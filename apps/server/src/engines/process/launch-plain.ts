import { createAlivePipe, openAlivePipe } from '../../processes/alive-pipe.ts';
import { findMatching } from '../../processes/kill-matching.ts';
import { findProcess, readBootId } from '../../processes/process-table.ts';
import { spawnDetached } from '../../processes/spawn-detached.ts';
import { instanceGroupName } from './app-control-groups.ts';
import { openFiles } from './app-files.ts';
import type { EngineDeps } from './deps.ts';
import { instanceMarks } from './environment.ts';
import { NO_PORT, writeInstanceRecord } from './instance-record.ts';
import { instanceCommand, type Launch, type Launched, openOutput } from './launch.ts';
import { appLayout } from './layout.ts';
import { type Leftovers, selectLeftovers } from './leftovers.ts';
import { folderNumber } from './release-record.ts';

const LOOPBACK = '127.0.0.1';

/** Starts an instance as a process that shares the network, the processes and the files of the machine. */
export async function launchPlain(launch: Launch): Promise<Launched> {
  const { spec, record, release, identity, deps, signal } = launch;
  const group = instanceGroupName(spec.appId, record);
  deps.groups?.create(group, spec.size);
  const folders = await openFiles(spec.appId, deps, signal);
  const command = instanceCommand(launch, {
    release: folders.release(folderNumber(release)),
    home: folders.home,
    temporary: folders.temporary(record.id),
    binDir: deps.toolchain.binDir,
    nodePath: deps.toolchain.nodePath,
    staticServer: deps.staticServer,
    // Only the ingress connects.
    host: LOOPBACK,
    port: record.port === NO_PORT ? undefined : record.port,
  });
  const onSpawned = (pid: number) => deps.groups?.addProcess(group, pid);
  const { alive: pipe } = appLayout(deps.dataDir, spec.appId).instance(record.id);
  await createAlivePipe(pipe, signal);
  const output = await openOutput(launch);
  const alive = openAlivePipe(pipe);
  try {
    const { pid, exited } = await spawnDetached({ ...command, onSpawned }, output.fd, [alive.fd]);
    // It is not reaped yet, so the process table has it even if it exited at once.
    const startTime = findProcess(pid)?.startTime ?? '';
    const started = { ...record, process: { pid, startTime, bootId: readBootId() } };
    await writeInstanceRecord(appLayout(deps.dataDir, spec.appId), started);
    addStrayProcesses(
      group,
      { identity, marks: instanceMarks(spec.appId, record), isAlone: false },
      deps,
    );
    return { record: started, exited };
  } finally {
    alive.close();
    await output.close();
    await folders.close();
  }
}

/** A fast program may have started children before it was added to its control group. */
function addStrayProcesses(group: string, leftovers: Leftovers, { groups }: EngineDeps): void {
  if (groups === undefined) return;
  const members = new Set(groups.members(group));
  const outside = findMatching(selectLeftovers(leftovers)).filter(({ pid }) => !members.has(pid));
  for (const { pid } of outside) groups.addProcess(group, pid);
}
