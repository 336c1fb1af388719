import { networkOf } from '@longshore/edge-contract';

type Member = { destroy(): unknown; once(event: 'close', listener: () => void): unknown };

/**
 * The open connections of all visitors. One visitor cannot keep out the others: when there is no place left, the network
 * with the most connections loses its oldest one.
 */
export type Crowd = {
  /** False: the visitor itself has as many connections as anybody else, so this one must be closed. */
  admit(connection: Member, address: string): boolean;
};

export function createCrowd({ size }: { size: number }): Crowd {
  const networks = new Map<string, Set<Member>>();
  let count = 0;

  function largest(): Set<Member> | undefined {
    let found: Set<Member> | undefined;
    for (const members of networks.values()) {
      if (found === undefined || members.size > found.size) found = members;
    }
    return found;
  }

  function leave(connection: Member, network: string): void {
    const members = networks.get(network);
    if (members?.delete(connection) !== true) return;
    count -= 1;
    if (members.size === 0) networks.delete(network);
  }

  return {
    admit(connection, address) {
      const network = networkOf(address);
      const own = networks.get(network) ?? new Set();
      if (count >= size) {
        const members = largest();
        const [oldest] = members ?? [];
        if (members === undefined || oldest === undefined || members.size <= own.size) return false;
        // The event comes later, and more visitors may come before it.
        members.delete(oldest);
        count -= 1;
        oldest.destroy();
      }
      networks.set(network, own.add(connection));
      count += 1;
      connection.once('close', () => leave(connection, network));
      return true;
    },
  };
}
