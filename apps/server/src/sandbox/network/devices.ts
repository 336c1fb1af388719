/** Linux allows 15 characters. */
const RANDOM_LENGTH = 7;

/** The start of the names of all devices of an installation. `installation` is hexadecimal. */
export function devicePrefix(installation: string): string {
  return `ls${installation.slice(0, 6)}`;
}

/**
 * The host's end of a connection. The kernel removes devices some time after their namespace, so a name is never used twice:
 * the random part has 35 bits.
 */
export function deviceName(installation: string, random: Uint8Array): string {
  const letters = [...random.subarray(0, RANDOM_LENGTH)].map((byte) => (byte % 32).toString(32));
  return devicePrefix(installation) + letters.join('');
}

export function isDeviceOf(installation: string, device: string): boolean {
  return device.startsWith(devicePrefix(installation)) && isAnyDevice(device);
}

/** Whether it belongs to this or another installation. */
export function isAnyDevice(device: string): boolean {
  return /^ls[0-9a-f]{6}[0-9a-z]{7}$/.test(device);
}

/** Each connection has only two ends, so all may have the same hardware addresses. Permanent entries replace ARP. */
const HOST_HARDWARE = '02:6c:73:00:00:01';
const APP_HARDWARE = '02:6c:73:00:00:02';

export type Connection = {
  device: string;
  address: string;
  address6: string | undefined;
  /** Whether the kernel knows IPv6 at all. */
  hasIpv6Stack: boolean;
  gateway: string;
  gateway6: string;
};

/**
 * `ip -batch` on the host: creates both ends. The host's end has no address, also no IPv6 one: browsers on this machine abort
 * requests when an address appears. The route fails if another installation uses the address.
 */
export function hostBatch(connection: Connection, namespaceFile: string): string {
  const { device, address, address6, hasIpv6Stack, gateway } = connection;
  return lines([
    `link add ${device} address ${HOST_HARDWARE} type veth peer name eth0 address ${APP_HARDWARE} netns ${namespaceFile}`,
    ...(hasIpv6Stack ? [`link set ${device} addrgenmode none`] : []),
    `link set ${device} up`,
    `route add ${address}/32 dev ${device} src ${gateway}`,
    `neighbour add ${address} lladdr ${APP_HARDWARE} dev ${device} nud permanent`,
    ...(address6 === undefined
      ? []
      : [
          `route add ${address6}/128 dev ${device}`,
          `neighbour add ${address6} lladdr ${APP_HARDWARE} dev ${device} nud permanent`,
        ]),
  ]);
}

/** `ip -batch` in the namespace of the program. */
export function appBatch(connection: Connection): string {
  const { address, address6, hasIpv6Stack, gateway, gateway6 } = connection;
  return lines([
    'link set lo up',
    ...(hasIpv6Stack ? ['link set eth0 addrgenmode none'] : []),
    'link set eth0 up',
    `address add ${address}/32 dev eth0`,
    `neighbour add ${gateway} lladdr ${HOST_HARDWARE} dev eth0 nud permanent`,
    `route add default via ${gateway} dev eth0 onlink`,
    ...(address6 === undefined
      ? []
      : [
          `address add ${address6}/128 dev eth0 nodad`,
          `neighbour add ${gateway6} lladdr ${HOST_HARDWARE} dev eth0 nud permanent`,
          `route add ::/0 via ${gateway6} dev eth0 onlink`,
        ]),
  ]);
}

/** `ip -force -batch` on the host: what got lost while the device stayed, because the gateway address was removed. */
export function routesBatch(connections: Connection[]): string {
  return lines(
    connections.map(
      ({ device, address, gateway }) => `route add ${address}/32 dev ${device} src ${gateway}`,
    ),
  );
}

/**
 * `ip -force -batch` once per machine. Packets to an address without a program would follow the default route, so the whole
 * network is unreachable except for single addresses.
 */
export function machineBatch(gateway: string, networks: string[]): string {
  return lines([
    `address add ${gateway}/32 dev lo`,
    ...networks.map((network) => `route add unreachable ${network}`),
  ]);
}

/** The opposite of `machineBatch`. */
export function withdrawalBatch(gateway: string, networks: string[]): string {
  return lines([
    ...networks.map((network) => `route delete unreachable ${network}`),
    `address delete ${gateway}/32 dev lo`,
  ]);
}

function lines(commands: string[]): string {
  return `${commands.join('\n')}\n`;
}

/** Whether `ip` failed because the device does not exist, before it looked or since: the kernel removes those of ended programs. */
export function isDeviceGone(output: string): boolean {
  return /Cannot find device|No such device/.test(output);
}
