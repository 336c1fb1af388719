import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { isLoopback } from '../../http/host-check.ts';
import { isPrivateAddress } from '../../outbound/private-address.ts';
import { DOCKER_HUB } from '../registry-host.ts';
import type { SourcePolicy } from '../source-policy.ts';
import type { RegistrySettings } from './buildkitd-config.ts';
import type { ForwarderThreadOptions } from './forwarder-thread.ts';
import type { ForwardedRegistry } from './registry-forwarder.ts';

const LOOPBACK = '127.0.0.1';
const THREAD = new URL('forwarder-thread.ts', import.meta.url);
const THREAD_MEMORY_MB = 128;

type Kind = keyof RegistrySettings;

/** The forwarders of the operator's registries. Without a port, builders reach the registry themselves. */
export type RegistryForwarders = {
  ports: Partial<Record<Kind, number>>;
  /** For `buildkitdConfig`, where `host` is this machine as builders see it. */
  addressesAt(host: string): Partial<Record<Kind, string>>;
  close(): Promise<void>;
};

type ForwarderDeps = {
  resolve: SourcePolicy['resolve'];
  logError(error: unknown): void;
  /** Where forwarders listen. */
  host?: string;
};

/**
 * Forwards what builders cannot reach, because it is on this machine or in a private network. Nobody has to open the network for
 * them, and build steps cannot push.
 */
export async function openRegistryForwarders(
  settings: RegistrySettings,
  { resolve, logError, host = LOOPBACK }: ForwarderDeps,
  signal: AbortSignal,
): Promise<RegistryForwarders> {
  const forwarded = new Map<Kind, ForwardedRegistry>();
  for (const kind of ['registry', 'mirror'] as const) {
    const hostName = hostNameOf(settings[kind]?.host);
    const registry = forwardedRegistry(settings, kind);
    if (hostName === undefined || registry === undefined) continue;
    // Builders cannot resolve it either, so there is nothing to forward.
    const addresses = isLoopback(hostName)
      ? [hostName]
      : await resolve(hostName, signal).catch(() => []);
    if (addresses.some(isPrivateAddress)) forwarded.set(kind, registry);
  }
  const thread =
    forwarded.size === 0 ? undefined : await startThread([...forwarded.values()], host, logError);
  const ports = [...forwarded.keys()].map((kind, index) => [kind, thread?.ports[index]] as const);
  return {
    ports: Object.fromEntries(ports),
    addressesAt: (at) => Object.fromEntries(ports.map(([kind, port]) => [kind, `${at}:${port}`])),
    close: async () => await thread?.close(),
  };
}

/**
 * All in one thread, but not in the main one: build steps may send any number of requests, and images are large, but the server has
 * to respond to everybody else meanwhile. A thread that fails is replaced on the same ports.
 */
async function startThread(
  registries: ForwardedRegistry[],
  host: string,
  logError: (error: unknown) => void,
): Promise<{ ports: number[]; close(): Promise<void> }> {
  let thread: Worker;

  /** Resolves when it listens. */
  async function run(ports: number[]): Promise<number[]> {
    const forwarders = registries.map((registry, index) => ({ registry, port: ports[index] ?? 0 }));
    const workerData: ForwarderThreadOptions = { host, forwarders };
    const resourceLimits = { maxOldGenerationSizeMb: THREAD_MEMORY_MB };
    thread = new Worker(THREAD, { workerData, resourceLimits });
    const [listening] = (await once(thread, 'message')) as [number[]];
    thread.once('error', (error) => {
      logError(error);
      run(listening).catch(logError);
    });
    return listening;
  }

  const ports = await run([]);
  return { ports, close: async () => void (await thread.terminate()) };
}

/** What to forward. As everywhere in Docker's world, a registry on loopback uses plain HTTP. */
export function forwardedRegistry(
  { registry, mirror }: RegistrySettings,
  kind: Kind,
): ForwardedRegistry | undefined {
  if (kind === 'mirror') {
    if (mirror === undefined) return undefined;
    const protocol = mirror.isPlainHttp ? 'http' : 'https';
    const origins: [string] = [`${protocol}://${mirror.host}`];
    return { name: DOCKER_HUB, path: '', origins, isInsecure: false };
  }
  if (registry === undefined) return undefined;
  const { host: name, path, isInsecure } = registry;
  const [http, https] = [`http://${name}`, `https://${name}`];
  if (isInsecure) return { name, path, origins: [https, http], isInsecure };
  const isLocal = isLoopback(hostNameOf(name) ?? '');
  return { name, path, origins: [isLocal ? http : https], isInsecure };
}

/** Without port and brackets. */
function hostNameOf(host: string | undefined): string | undefined {
  return host && new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '');
}
