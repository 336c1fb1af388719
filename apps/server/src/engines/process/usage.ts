import { readFile, statfs } from 'node:fs/promises';
import { instanceName } from '@longshore/contract';
import { parseNetworkDevices } from '../../processes/network-counters.ts';
import type { InstanceUsage } from '../engine.ts';
import { instanceGroupName } from './app-control-groups.ts';
import type { EngineDeps } from './deps.ts';
import { type InstanceRecord, isIsolated } from './instance-record.ts';
import { SANDBOX } from './sandbox-view.ts';
import type { SupervisedInstance } from './supervised-instance.ts';

type UsageDeps = Pick<EngineDeps, 'groups'>;
type Running = { appId: string; record: InstanceRecord };

/** Without control groups nothing is known. An instance without a network or disk of its own has only CPU and memory. */
export async function readInstanceUsage(
  apps: Map<string, Map<string, SupervisedInstance>>,
  { groups }: UsageDeps,
  signal: AbortSignal,
): Promise<InstanceUsage[]> {
  const running = [...apps].flatMap(([appId, app]) => runningOf(appId, app));
  if (running.length === 0) return [];
  // One file for all: the devices of instances are in the namespace of the server.
  const devices = parseNetworkDevices(await readFile('/proc/net/dev', 'utf8').catch(() => ''));
  const usages = running.map(async ({ appId, record }) => {
    const group = instanceGroupName(appId, record);
    const device = devices.get(record.attachment?.device ?? '');
    return {
      appId,
      instanceId: instanceName(record.id, record.processType),
      ...groups?.usage(group),
      // What this side receives, the app has sent.
      networkReceivedBytes: device?.sentBytes,
      networkSentBytes: device?.receivedBytes,
      diskBytes: isIsolated(record) ? await usedDiskBytes(groups?.members(group) ?? []) : undefined,
    };
  });
  const found = await Promise.all(usages);
  signal.throwIfAborted();
  return found;
}

function runningOf(appId: string, app: Map<string, SupervisedInstance>): Running[] {
  return [...app.values()]
    .map((live) => ({ appId, record: live.record() }))
    .filter(({ record }) => record.process !== undefined && record.exit === undefined);
}

/** The app's disk as a process of the app sees it: the server has it mounted only for a moment. */
async function usedDiskBytes(members: number[]): Promise<number | undefined> {
  // The first ones start the sandbox, and see the disk of the machine.
  const pid = members.at(-1);
  if (pid === undefined) return undefined;
  const disk = await statfs(`/proc/${pid}/root${SANDBOX.home}`).catch(() => undefined);
  return disk && (disk.blocks - disk.bfree) * disk.bsize;
}
