import { z } from 'zod';
import type { AllowedSource } from '../../build/source-policy.ts';
import type { KeyedMutex } from '../../concurrency/keyed-semaphore.ts';
import { EngineFailure } from '../../engines/failure.ts';
import { Secret } from '../../secrets/secret.ts';
import type { SshHost } from '../../ssh/scan-host.ts';
import { HOST_KEYS, type SealedSecrets } from '../sealed-secrets.ts';
import { publishedHostKeys } from './published-host-keys.ts';

const StoredKeys = z.record(z.string(), z.array(z.string()));

type HostKeyDeps = {
  secrets: SealedSecrets;
  locks: KeyedMutex;
  scan(host: SshHost, signal: AbortSignal): Promise<string[]>;
};

export type SshSource = AllowedSource & { address: { kind: 'ssh' } };

export function isSshSource(source: AllowedSource): source is SshSource {
  return source.address.kind === 'ssh';
}

/** The SSH host keys to expect: published ones for well-known hosts, otherwise those of the first connection. */
export type HostKeys = (
  integrationId: string,
  source: SshSource,
  signal: AbortSignal,
) => Promise<string[]>;

export function createHostKeys({ secrets, locks, scan }: HostKeyDeps): HostKeys {
  return async (integrationId, source, signal) => {
    const published = publishedHostKeys(source.address.host);
    return (
      published ??
      (await locks.run(integrationId, () => firstSeenKeys(integrationId, source, signal)))
    );
  };

  async function firstSeenKeys(
    integrationId: string,
    { address: { host, port }, pinned: [address = host] }: SshSource,
    signal: AbortSignal,
  ): Promise<string[]> {
    const hostAndPort = `${host.toLowerCase()}:${port}`;
    const stored = await secrets.read(integrationId, HOST_KEYS);
    const storedKeys = stored === undefined ? {} : StoredKeys.parse(JSON.parse(stored.reveal()));
    const expected = storedKeys[hostAndPort];
    if (expected !== undefined) return expected;
    const scanned = await scan({ host: address, port }, signal);
    if (scanned.length === 0) {
      throw new EngineFailure('repository-unreachable', [`${hostAndPort} did not respond to SSH`]);
    }
    const next = new Secret(JSON.stringify({ ...storedKeys, [hostAndPort]: scanned }));
    await secrets.store(integrationId, HOST_KEYS, next);
    return scanned;
  }
}
