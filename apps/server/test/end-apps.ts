import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { removeEdgeGroup } from '../src/edge/open-edge.ts';
import { appsFolder } from '../src/engines/process/layout.ts';
import { createAppDisks } from '../src/sandbox/disk/app-disks.ts';
import { createBridgeFirewall } from '../src/sandbox/network/bridge-firewall.ts';
import { openNetwork } from '../src/sandbox/network/network.ts';
import { installationOf, openControlGroups } from '../src/sandbox/open-sandbox.ts';
import { TEST_NETWORK } from './engines/process/test-network.ts';

/**
 * Ends the apps that a stopped server left running, and removes their control groups, mounts, network and the rules of their
 * containers, and the control group of the edge.
 */
export async function endApps(dataDir: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const groups = openControlGroups(dataDir);
  for (const name of groups?.list() ?? []) await groups?.kill(name);
  groups?.close();
  await removeEdgeGroup(dataDir);
  const installation = installationOf(dataDir);
  await createBridgeFirewall({ installation, ...TEST_NETWORK }).filter([]);
  const mountsFolder = join(dataDir, 'mounts');
  // Apps that were not isolated have nothing else.
  if (!existsSync(mountsFolder)) return;
  const disks = createAppDisks({ appsFolder: appsFolder(dataDir), mountsFolder, sizeBytes: 0 });
  await disks.sweep(new AbortController().signal);
  const network = await openNetwork({ installation, ...TEST_NETWORK });
  await network.adopt([]);
  await network.close();
}
