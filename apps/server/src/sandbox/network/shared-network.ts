import { StartProblem } from '../../lifecycle/start-problem.ts';
import { type AppNetwork, gatewayOf, IPV6_NETWORK, networkText } from './addresses.ts';
import { isAnyDevice, machineBatch, withdrawalBatch } from './devices.ts';
import { DOCKER_CHAIN, dockerPermission, dockerWithdrawal } from './firewall.ts';
import { type HostCommands, NetworkCommandFailed } from './host-commands.ts';

/**
 * What all installations on a machine share: the gateway address, unreachable routes, the table of routes, and the permission to
 * pass the firewall of Docker.
 */
export type SharedNetwork = {
  /** Adds what is missing. Rejects with a StartProblem when the machine uses the addresses for something else. */
  prepare(): Promise<void>;
  /** Removes it, unless another installation has a table. */
  withdraw(): Promise<void>;
  /** The addresses that programs of all installations use. */
  usedAddresses(): Promise<string[]>;
};

/** How `ip` names a device that was removed after it had read the route. */
const REMOVED = /^if\d+$/;
const never = new AbortController().signal;

export function createSharedNetwork(
  host: HostCommands,
  options: { network: AppNetwork; hasIpv6: boolean },
): SharedNetwork {
  const { network, hasIpv6 } = options;
  const gateway = gatewayOf(network);
  const networks = [networkText(network), ...(hasIpv6 ? [IPV6_NETWORK] : [])];
  return {
    async prepare() {
      const foreign = (await routes()).find(
        ({ type, dev = '' }) => type !== 'unreachable' && !isAnyDevice(dev) && !REMOVED.test(dev),
      );
      if (foreign !== undefined) {
        throw new StartProblem(
          `LONGSHORE_NETWORK ${networkText(network)} is in use on this machine: route ${foreign.dst} of device ` +
            `${foreign.dev}. Set it to another private network, such as 10.214.0.0/16.`,
        );
      }
      await runAll(machineBatch(gateway, networks), /File exists|already assigned/);
      await passDocker();
    },
    async withdraw() {
      const tables = await host.run(['nft', 'list', 'tables'], { signal: never });
      // The rules of containers need nothing of it.
      if (/\blongshore_[0-9a-f]+$/m.test(tables)) return;
      const ruleset = await host.run(['nft', '-a', 'list', 'ruleset'], { signal: never });
      // Another installation may be closed at this moment and remove them too.
      for (const command of dockerWithdrawal(ruleset)) await load(command).catch(() => {});
      await runAll(
        withdrawalBatch(gateway, networks),
        /No such process|Cannot assign|Address not found/,
      );
    },
    usedAddresses: async () => (await routes()).map(({ dst }) => dst),
  };

  async function passDocker(): Promise<void> {
    const chains = await Promise.all(['ip', 'ip6'].map(dockerChain));
    const ip6 = hasIpv6 ? IPV6_NETWORK : undefined;
    await load(dockerPermission(chains.join('\n'), { ip: networkText(network), ip6 }));
  }

  /** Reads only this chain, because it is repeated all the time. Empty when it does not exist. */
  async function dockerChain(family: string): Promise<string> {
    const argv = ['nft', 'list', 'chain', family, 'filter', DOCKER_CHAIN] as const;
    return await host.run(argv, { signal: never }).catch(() => '');
  }

  async function load(input: string): Promise<void> {
    if (input !== '') await host.run(['nft', '-f', '-'], { input, signal: never });
  }

  async function routes(): Promise<Route[]> {
    return await listJson<Route>(host, ['route', 'show', 'root', networkText(network)]);
  }

  /** Runs all commands. The expected errors are ignored. */
  async function runAll(input: string, expected: RegExp): Promise<void> {
    try {
      await host.run(['ip', '-force', '-batch', '-'], { input, signal: never });
    } catch (error) {
      if (!(error instanceof NetworkCommandFailed)) throw error;
      const isExpected = (line: string) => line.startsWith('Command failed') || expected.test(line);
      if (!error.output.split('\n').every(isExpected)) throw error;
    }
  }
}

type Route = { dst: string; type?: string; dev?: string };

/** Lists objects of `ip`, one line per property: a long line would be cut. */
export async function listJson<T>(host: HostCommands, args: string[]): Promise<T[]> {
  const text = await host.run(['ip', '-json', '-pretty', ...args], { signal: never });
  return JSON.parse(text || '[]') as T[];
}

/** `hasStack`: the kernel knows IPv6. `hasRoute`: programs get an IPv6 address. */
export type Ipv6Support = { hasStack: boolean; hasRoute: boolean };

/**
 * Turns on forwarding. For IPv6 only if the machine has a route to the internet, and keeps it as a router: routers ignore the
 * advertisements of others, from which such a route may come.
 */
export async function prepareForwarding(host: HostCommands): Promise<Ipv6Support> {
  if ((await host.readSetting('ipv4/ip_forward')) === '0') {
    await host.writeSetting('ipv4/ip_forward', '1');
  }
  const forwarding = await host.readSetting('ipv6/conf/all/forwarding');
  if (forwarding === undefined) return { hasStack: false, hasRoute: false };
  const [route] = await listJson<{ protocol?: string }>(host, ['-6', 'route', 'show', 'default']);
  const keepsRoute = forwarding !== '0' || route?.protocol !== 'ra';
  if (route === undefined || !keepsRoute) return { hasStack: true, hasRoute: false };
  if (forwarding === '0') await host.writeSetting('ipv6/conf/all/forwarding', '1');
  return { hasStack: true, hasRoute: true };
}
