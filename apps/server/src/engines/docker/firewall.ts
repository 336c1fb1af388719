import type { BridgeFirewall } from '../../sandbox/network/bridge-firewall.ts';
import type { Bridge } from '../../sandbox/network/bridge-ruleset.ts';
import { type HostCommands, hostCommands } from '../../sandbox/network/host-commands.ts';

/** The fields of a Docker network that this engine uses. */
export type Network = {
  Id: string;
  Name: string;
  Labels: Record<string, string> | null;
  Options: Record<string, string> | null;
  IPAM: { Config: { Subnet?: string; Gateway?: string; IPRange?: string }[] | null };
};

/** The rules for what containers of projects reach. */
export type NetworkFirewall = {
  /** Resolves when exactly these networks are filtered. Rejects only if that worked before: then nothing may start unfiltered. */
  filter(networks: Network[]): Promise<void>;
  /** Whether the rules could be loaded the last time. */
  isActive(): boolean;
  close(): void;
};

/** Other programs change the firewall of the machine at any time. */
const REPAIR_INTERVAL_MS = 15_000;

export function createNetworkFirewall(
  bridges: BridgeFirewall,
  logError: (error: unknown) => void,
): NetworkFirewall {
  let isActive = false;
  const repairs = setInterval(() => {
    if (isActive) bridges.repair().catch(logError);
  }, REPAIR_INTERVAL_MS);
  repairs.unref();
  return {
    async filter(networks) {
      try {
        await bridges.filter(networks.map(bridgeOf));
        isActive = true;
      } catch (error) {
        if (isActive) throw error;
      }
    },
    isActive: () => isActive,
    close: () => clearInterval(repairs),
  };
}

/** The name of the bridge is part of the id of its network, unless the operator chose another one. */
export function bridgeOf({ Id, Options, IPAM }: Network): Bridge {
  return {
    device: Options?.['com.docker.network.bridge.name'] || `br-${Id.slice(0, 12)}`,
    networks: (IPAM.Config ?? []).flatMap(({ Subnet, Gateway }) =>
      Subnet === undefined
        ? []
        : [{ subnet: Subnet, gateway: Gateway?.split('/')[0] ?? firstAddress(Subnet) }],
    ),
  };
}

/** Whether the bridge of a network is a device of this machine, which then reaches its containers. */
export async function isOnThisMachine(
  network: Network,
  host: Pick<HostCommands, 'readSetting'> = hostCommands,
): Promise<boolean> {
  const setting = await host.readSetting(`ipv4/conf/${bridgeOf(network).device}/forwarding`);
  return setting !== undefined;
}

/** Docker takes it for the bridge if nobody chose another one. Older versions do not report it. */
function firstAddress(subnet: string): string {
  const [base = ''] = subnet.split('/');
  if (base.includes(':')) return `${base.replace(/::$/, '')}::1`;
  return base.replace(/\d+$/, (last) => String(Number(last) + 1));
}
