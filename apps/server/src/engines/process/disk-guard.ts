import { stat } from 'node:fs/promises';
import type { ControlGroups } from '../../processes/control-groups/control-groups.ts';
import { machineSpace } from '../disk-full.ts';
import type { GuardedMachine } from '../disk-guard.ts';
import { killGroupsOfApp } from './app-control-groups.ts';
import { appLayout, appsFolder } from './layout.ts';
import { listFolder } from './release-record.ts';

const BLOCK_BYTES = 512;

/** The disks of apps take space of the machine only as they fill up, so together they may be larger than the machine. */
export function machineOfDisks(dataDir: string, groups: ControlGroups | undefined): GuardedMachine {
  return {
    space: () => machineSpace([dataDir]),
    sizes: () => sizesOfDisks(dataDir),
    stop: (appId) => killGroupsOfApp(groups, appId),
  };
}

async function sizesOfDisks(dataDir: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const appId of await listFolder(appsFolder(dataDir))) {
    const image = await stat(appLayout(dataDir, appId).disk).catch(() => undefined);
    if (image !== undefined) sizes.set(appId, image.blocks * BLOCK_BYTES);
  }
  return sizes;
}
