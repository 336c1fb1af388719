import { createHash } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ControlGroups } from '../processes/control-groups/control-groups.ts';
import { findControlGroups } from '../processes/control-groups/find-control-groups.ts';
import { createSandbox } from './create-sandbox.ts';
import { probeDisks } from './disk/probe-disks.ts';
import { appIdRange, type IdRange } from './id-range.ts';
import { detectIsolation as detectOnMachine, type Isolation } from './isolation.ts';
import { openNetwork, type SandboxNetwork } from './network/network.ts';
import { createPrivateNames, type PrivateNames } from './network/private-names.ts';
import type { BuilderAccess } from './network/ruleset.ts';
import type { Sandbox } from './sandbox.ts';
import { type Architecture, seccompFilter } from './seccomp-filter.ts';
import { readSystemView } from './system-view.ts';

/** What the operator allows the network of sandboxed programs. */
export type NetworkSettings = {
  network: string;
  allowedNetworks: string[];
  /** Where the ingress listens. */
  edge: { host: string; ports: number[] };
  builders: BuilderAccess;
  /** The public host names of apps are below it. */
  baseDomain: string;
};

/** What isolates programs of users on this machine, as far as it can. */
export type OpenSandbox = {
  isolation: Isolation;
  /** Undefined when they are not available. */
  groups: ControlGroups | undefined;
  /** Ids for the users of apps; undefined when there are too few. */
  idRange: IdRange | undefined;
  /** Undefined where isolation is not possible. */
  isolated: { sandbox: Sandbox; network: SandboxNetwork; names: PrivateNames } | undefined;
  close(): Promise<void>;
};

/** Other programs change the firewall and the routes of the machine at any time. */
const REPAIR_INTERVAL_MS = 15_000;

export type SandboxOptions = {
  dataDir: string;
  /** A folder that the server has created. */
  programs: string;
  isRoot: boolean;
  settings: NetworkSettings;
  detectIsolation?: typeof detectOnMachine;
  logError(error: unknown): void;
};

/** Opens the sandbox of a data directory. */
export async function openSandbox(options: SandboxOptions): Promise<OpenSandbox> {
  const { dataDir, isRoot, programs, detectIsolation = detectOnMachine } = options;
  const { signal } = new AbortController();
  const groups = isRoot ? openControlGroups(dataDir) : undefined;
  const idRange = isRoot ? await readIdRange() : undefined;
  const isolation = await detectIsolation({
    isRoot,
    hasControlGroups: groups !== undefined,
    hasIdRange: idRange !== undefined,
    diskProblem: isRoot ? probeDisks(programs, signal) : Promise.resolve(undefined),
  });
  const isolated =
    isolation.kind === 'isolated' && groups !== undefined
      ? await openParts(options, groups)
      : undefined;
  const repairs = setInterval(() => {
    isolated?.network.repair().catch(options.logError);
  }, REPAIR_INTERVAL_MS);
  repairs.unref();
  return {
    isolation,
    groups,
    idRange,
    isolated,
    async close() {
      clearInterval(repairs);
      await isolated?.network.close();
      groups?.close();
    },
  };
}

async function openParts(
  { dataDir, programs, settings }: SandboxOptions,
  groups: ControlGroups,
): Promise<OpenSandbox['isolated']> {
  const seccompFile = join(programs, 'system-calls.bpf');
  await writeFile(`${seccompFile}.new`, seccompFilter(process.arch as Architecture));
  await rename(`${seccompFile}.new`, seccompFile);
  const network = await openNetwork({ installation: installationOf(dataDir), ...settings });
  const names = createPrivateNames({
    folder: join(dataDir, 'names'),
    resolvers: network.resolvers,
    publicHosts: isLocalDomain(settings.baseDomain)
      ? { address: network.gateway, baseDomain: settings.baseDomain }
      : undefined,
  });
  const sandbox = createSandbox({
    groups,
    network,
    namesFolder: names.folderOf,
    system: readSystemView(await readdir('/etc')),
    seccompFile,
  });
  return { sandbox, network, names };
}

/** Such names are in no DNS. */
export function isLocalDomain(domain: string): boolean {
  return /(^|\.)localhost$/.test(domain);
}

/** The control groups of this data directory. Other installations on the machine have different ones. */
export function openControlGroups(dataDir: string): ControlGroups | undefined {
  return findControlGroups(`longshore-${installationOf(dataDir)}`);
}

/** Distinguishes the devices, rules and control groups of installations on one machine. */
export function installationOf(dataDir: string): string {
  return createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
}

/** The range of ids for apps; undefined unless uids and gids have the same range. */
export async function readIdRange(): Promise<IdRange | undefined> {
  const uids = appIdRange(await readFile('/proc/self/uid_map', 'utf8'));
  const gids = appIdRange(await readFile('/proc/self/gid_map', 'utf8'));
  const isSame = uids?.first === gids?.first && uids?.count === gids?.count;
  return isSame ? uids : undefined;
}
