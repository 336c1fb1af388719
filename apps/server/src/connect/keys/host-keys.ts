import { z } from 'zod';
import type { GuardedSource } from '../../build/git-guard.ts';
import type { KeyedMutex } from '../../concurrency/keyed-semaphore.ts';
import { EngineFailure } from '../../engines/failure.ts';
import { Secret } from '../../secrets/secret.ts';
import type { SshHost } from '../../ssh/scan-host.ts';
import type { SealedSecrets } from '../secrets/sealed-secrets.ts';
import { publishedHostKeys } from './published-host-keys.ts';

/** Sealed though they are no secret: whoever can write to the database must not have us trust another host. */
export const HOST_KEYS = 'host-keys';

const Known = z.record(z.string(), z.array(z.string()));

type HostKeyDeps = {
  secrets: SealedSecrets;
  locks: KeyedMutex;
  scan(place: SshHost, signal: AbortSignal): Promise<string[]>;
};

export type SshSource = GuardedSource & { address: { kind: 'ssh' } };

export function isSshSource(source: GuardedSource): source is SshSource {
  return source.address.kind === 'ssh';
}

/** By which keys the host of a source is known; those of a host of one's own are those it showed at first. */
export type HostKeys = (
  integrationId: string,
  source: SshSource,
  signal: AbortSignal,
) => Promise<string[]>;

export function createHostKeys({ secrets, locks, scan }: HostKeyDeps): HostKeys {
  return async (integrationId, source, signal) => {
    const published = publishedHostKeys(source.address.host);
    return (
      published ?? (await locks.run(integrationId, () => remembered(integrationId, source, signal)))
    );
  };

  async function remembered(
    integrationId: string,
    { address: { host, port }, pinned: [address = host] }: SshSource,
    signal: AbortSignal,
  ): Promise<string[]> {
    const place = `${host.toLowerCase()}:${port}`;
    const stored = await secrets.read(integrationId, HOST_KEYS);
    const known = stored === undefined ? {} : Known.parse(JSON.parse(stored.reveal()));
    const before = known[place];
    if (before !== undefined) return before;
    const shown = await scan({ host: address, port }, signal);
    if (shown.length === 0) {
      throw new EngineFailure('repository-unreachable', [`${place} answered no SSH`]);
    }
    const next = new Secret(JSON.stringify({ ...known, [place]: shown }));
    await secrets.keep(integrationId, HOST_KEYS, next);
    return shown;
  }
}
