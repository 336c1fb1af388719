/** What a network device has transferred since it was made. */
export type NetworkCounters = { receivedBytes: number; sentBytes: number };

const LOOPBACK = 'lo';
/** Of the columns after the name, the first is received, the ninth sent. */
const [RECEIVED, SENT] = [0, 8];

/** The devices of a network namespace by name. `text`: the content of /proc/<pid>/net/dev. */
export function parseNetworkDevices(text: string): Map<string, NetworkCounters> {
  const devices = new Map<string, NetworkCounters>();
  for (const line of text.split('\n')) {
    const [, name, columns] = /^\s*([^\s:]+):\s*(\d.*)$/.exec(line) ?? [];
    if (name === undefined || columns === undefined) continue;
    const numbers = columns.trim().split(/\s+/).map(Number);
    devices.set(name, { receivedBytes: numbers[RECEIVED] ?? 0, sentBytes: numbers[SENT] ?? 0 });
  }
  return devices;
}

/** Of all devices that lead out of a namespace. Undefined: it has none. */
export function sumOfDevices(devices: Map<string, NetworkCounters>): NetworkCounters | undefined {
  const outward = [...devices]
    .filter(([name]) => name !== LOOPBACK)
    .map(([, counters]) => counters);
  if (outward.length === 0) return undefined;
  return outward.reduce((sum, { receivedBytes, sentBytes }) => ({
    receivedBytes: sum.receivedBytes + receivedBytes,
    sentBytes: sum.sentBytes + sentBytes,
  }));
}
