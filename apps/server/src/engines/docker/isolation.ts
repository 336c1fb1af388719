import type { Isolation } from '../../sandbox/isolation.ts';
import { type HostCommands, hostCommands } from '../../sandbox/network/host-commands.ts';
import type { DockerDeps } from './deps.ts';
import { isEngineDown } from './docker-error.ts';
import { isOnThisMachine } from './firewall.ts';
import { withOwnNetworks } from './networks.ts';

/** What a Docker Engine says about itself. */
type Info = { OperatingSystem: string; SecurityOptions: string[] | null };

const ENGINE_DOWN = 'The Docker Engine does not respond, so Longshore cannot check it.';
const ANSWER_MS = 3_000;
const CHECK_MS = 30_000;

/**
 * Returns a function that says whether containers and builds are isolated from each other and from this machine. Its first call
 * filters the networks of running apps. A Docker Engine that does not respond yet is asked again by each call.
 */
export function createIsolationCheck(
  deps: DockerDeps,
  host: Pick<HostCommands, 'readSetting'> = hostCommands,
): () => Promise<Isolation> {
  let checking: Promise<Isolation> | undefined;

  async function check(): Promise<Isolation> {
    const signal = AbortSignal.timeout(CHECK_MS);
    try {
      const [problem, { isolation }] = await Promise.all([
        networkProblem(deps, host, signal),
        deps.sandbox.open(signal),
      ]);
      return withProblem(isolation, problem);
    } catch (error) {
      checking = undefined;
      if (!isEngineDown(error) && !signal.aborted) deps.logError(error);
      return withProblem({ kind: 'isolated' }, ENGINE_DOWN);
    }
  }

  return () => {
    checking ??= check();
    return checking;
  };
}

/** Undefined: the networks of this Docker Engine are bridges of this machine, and they are filtered. */
async function networkProblem(
  deps: DockerDeps,
  host: Pick<HostCommands, 'readSetting'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const info = await deps.docker.call<Info>('GET', '/info', { signal, timeoutMs: ANSWER_MS });
  return await withOwnNetworks(deps, signal, async (networks) => {
    await deps.firewall.filter(networks);
    const areHere = await Promise.all(networks.map((network) => isOnThisMachine(network, host)));
    return problemOf(info, {
      areBridgesHere: areHere.every((isHere) => isHere),
      isFiltered: deps.firewall.isActive(),
    });
  });
}

export function problemOf(
  { OperatingSystem, SecurityOptions }: Info,
  { areBridgesHere, isFiltered }: { areBridgesHere: boolean; isFiltered: boolean },
): string | undefined {
  if (!areBridgesHere) {
    const whose = whoseNetworks(OperatingSystem, SecurityOptions ?? []);
    return `The networks of ${whose} are not on this machine, so Longshore cannot filter what containers reach.`;
  }
  return isFiltered ? undefined : 'nftables cannot filter the networks of Docker on this machine.';
}

function whoseNetworks(operatingSystem: string, securityOptions: string[]): string {
  if (securityOptions.some((option) => option.startsWith('name=rootless'))) {
    return 'a rootless Docker Engine';
  }
  return operatingSystem === 'Docker Desktop' ? 'Docker Desktop' : 'this Docker Engine';
}

function withProblem(isolation: Isolation, problem: string | undefined): Isolation {
  if (problem === undefined) return isolation;
  const { missing, packages } =
    isolation.kind === 'isolated' ? { missing: [], packages: [] } : isolation;
  return { kind: 'not-isolated', missing: [...missing, problem], packages };
}
