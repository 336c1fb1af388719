import { mkdir, readFile, rm } from 'node:fs/promises';
import { instanceLogName } from '@longshore/contract';
import { z } from 'zod';
import { findProcess, isRunning, readBootId } from '../../processes/process-table.ts';
import type { Address, Instance } from '../engine.ts';
import { readJson, writeJson } from '../json-file.ts';
import type { EngineDeps } from './deps.ts';
import type { AppLayout } from './layout.ts';
import { listFolder } from './release-record.ts';

const instanceRecord = z.object({
  id: z.string(),
  release: z.number(),
  /** Missing: `web`. */
  processType: z.string().optional(),
  port: z.number(),
  startedAt: z.number(),
  /** Under which name the other apps of which project find it. Missing where apps are not isolated. */
  networkAlias: z.object({ projectId: z.string(), name: z.string() }).optional(),
  /** The network of an isolated instance. Missing: it listens on a loopback port of the machine. */
  attachment: z
    .object({ device: z.string(), address: z.string(), address6: z.string().optional() })
    .optional(),
  /** Between SIGTERM and SIGKILL. Missing: the default. */
  stopGraceSeconds: z.number().optional(),
  /** Missing until the process is spawned. */
  process: z.object({ pid: z.number(), startTime: z.string(), bootId: z.string() }).optional(),
  exit: z
    .object({
      code: z.number().optional(),
      signal: z.string().optional(),
      isOutOfMemory: z.boolean().optional(),
      at: z.number(),
    })
    .optional(),
});

/** The port of an instance of another process than `web`, and of an isolated one of an app without ports. */
export const NO_PORT = 0;

export type InstanceRecord = z.infer<typeof instanceRecord>;

export async function readInstanceRecords(layout: AppLayout): Promise<InstanceRecord[]> {
  const ids = (await listFolder(layout.instances)).filter((name) => /^\d+$/.test(name));
  const records = await Promise.all(
    ids.map((id) => readJson(layout.instance(id).record, instanceRecord)),
  );
  return records.filter((record) => record !== undefined);
}

export async function writeInstanceRecord(
  layout: AppLayout,
  record: InstanceRecord,
): Promise<void> {
  const { folder, record: path } = layout.instance(record.id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeJson(path, record);
}

export async function removeInstanceRecord(layout: AppLayout, id: string): Promise<void> {
  await rm(layout.instance(id).folder, { recursive: true, force: true });
}

/** Ids are never reused, because log names contain them. */
export async function nextInstanceId(layout: AppLayout): Promise<string> {
  const last = await readFile(layout.lastInstance, 'utf8').catch(() => '0');
  const used = (await listFolder(layout.instances)).map(Number).filter(Number.isInteger);
  const next = Math.max(Number(last) || 0, 0, ...used) + 1;
  await mkdir(layout.instances, { recursive: true, mode: 0o700 });
  await writeJson(layout.lastInstance, next);
  return String(next);
}

/** Whether the recorded process still runs, and not a later one with the same pid. */
export function isProcessAlive({ process }: InstanceRecord): boolean {
  if (process === undefined || process.bootId !== readBootId()) return false;
  const found = findProcess(process.pid);
  return found?.startTime === process.startTime && isRunning(found);
}

/** Whether the instance has namespaces of its own. */
export function isIsolated({ attachment }: InstanceRecord): boolean {
  return attachment !== undefined;
}

/** The time between SIGTERM and SIGKILL. */
export function graceMsOf(
  { stopGraceSeconds }: InstanceRecord,
  { limits }: Pick<EngineDeps, 'limits'>,
): number {
  return stopGraceSeconds === undefined ? limits.graceMs : stopGraceSeconds * 1_000;
}

export function addressOf({ attachment, port }: InstanceRecord): Address {
  return { host: attachment?.address ?? '127.0.0.1', port };
}

export function logNameOf(appId: string, { id, processType }: InstanceRecord): string {
  return instanceLogName(appId, Number(id), processType);
}

export function toInstance(appId: string, record: InstanceRecord): Instance {
  const { exit } = record;
  return {
    id: record.id,
    release: record.release,
    ...(record.processType === undefined ? {} : { process: record.processType }),
    ...(record.networkAlias === undefined ? {} : { networkAlias: record.networkAlias }),
    logName: logNameOf(appId, record),
    address: addressOf(record),
    startedAt: new Date(record.startedAt),
    state:
      exit === undefined
        ? { kind: 'running' }
        : {
            kind: 'exited',
            exit: {
              code: exit.code,
              signal: exit.signal,
              at: new Date(exit.at),
              ...(exit.isOutOfMemory === true ? { isOutOfMemory: true } : {}),
            },
          },
  };
}
