import type { Clock } from '@longshore/edge-contract';
import { z } from 'zod';
import type { Isolation } from '../../sandbox/isolation.ts';
import type { EngineRecords } from '../engine-records.ts';
import type { ProbeResult } from './network-probe.ts';

export type IsolationDeps = {
  /** The result, also for servers without the engine. */
  records: EngineRecords;
  clock: Clock;
  /** A result is only about the cluster that it was found in. */
  readClusterId(signal: AbortSignal): Promise<string>;
  probe(signal: AbortSignal): Promise<ProbeResult>;
  /** Resolves when all projects have their network policies. */
  updateNamespaces(signal: AbortSignal): Promise<void>;
  /** The first result may come after the summary of the start. */
  logInfo(text: string): void;
  logError(error: unknown): void;
};

export type IsolationCheck = { isolation(): Promise<Isolation>; close(): Promise<void> };

/** Callers wait in a transaction of the database. */
const ANSWER_MS = 3_000;
/** The operator may have changed the network of the cluster. */
const VALID_MS: Record<ProbeResult['kind'], number> = {
  enforced: 24 * 60 * 60_000,
  'not-enforced': 10 * 60_000,
  unknown: 60_000,
};
/** How long a result counts if no later probe finds anything out. */
const KEPT_MS = 48 * 60 * 60_000;

/** For servers without the engine. */
const READ_AGAIN_MS = 5_000;

const RESULT = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('enforced') }),
  z.object({
    kind: z.literal('not-enforced'),
    directions: z.array(z.enum(['incoming', 'outgoing'])),
  }),
]);

/** What the last probe that found something out has found, and when. */
const FOUND = z.object({ cluster: z.string(), at: z.number(), result: RESULT });
type Found = z.infer<typeof FOUND>;
const FOUND_PATH = 'kubernetes/network-policy.json';

const LIST = new Intl.ListFormat('en');

/**
 * Whether the cluster separates the networks of projects. It is probed when this is first asked, and again after a while; in the
 * meantime the result before counts, also that of an earlier server.
 */
export function createIsolationCheck(deps: IsolationDeps): IsolationCheck {
  const { clock } = deps;
  const closing = new AbortController();
  const { signal } = closing;
  let found: Found | undefined;
  let result: ProbeResult | undefined;
  let loggedKind: ProbeResult['kind'] | undefined;
  let nextAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | undefined;
  let recalling: Promise<unknown> = Promise.resolve();

  /** The result that counts until another one is found. Returns the id of the cluster. */
  async function recall(): Promise<string> {
    const cluster = await deps.readClusterId(signal);
    found ??= await deps.records.read(FOUND_PATH, FOUND);
    const counts = found?.cluster === cluster && clock.now() - found.at < KEPT_MS;
    if (!counts) found = undefined;
    if (counts || result?.kind !== 'unknown') result = found?.result;
    loggedKind ??= result?.kind;
    return cluster;
  }

  async function probe(cluster: string): Promise<ProbeResult> {
    await deps.updateNamespaces(signal);
    const probed = await deps.probe(signal);
    if (probed.kind === 'unknown') return probed;
    const next = { cluster, at: clock.now(), result: probed };
    await deps.records.write(FOUND_PATH, next);
    found = next;
    return probed;
  }

  async function check(recalled: Promise<string>): Promise<void> {
    let probed: ProbeResult = { kind: 'unknown' };
    try {
      probed = await probe(await recalled);
    } catch (error) {
      if (!signal.aborted) deps.logError(error);
    }
    if (signal.aborted) return;
    if (probed.kind !== loggedKind) deps.logInfo(describe(probed));
    loggedKind = probed.kind;
    // A cluster without room for the probe is still the same cluster.
    if (probed.kind !== 'unknown' || found === undefined) result = probed;
    nextAt = clock.now() + VALID_MS[probed.kind];
    checking = undefined;
  }

  async function firstResult(): Promise<void> {
    await recalling.catch(() => {});
    if (result === undefined) await checking;
  }

  return {
    async isolation() {
      if (checking === undefined && clock.now() >= nextAt && !signal.aborted) {
        const recalled = recall();
        recalling = recalled;
        checking = check(recalled);
      }
      if (result === undefined) await atMost(ANSWER_MS, firstResult(), clock);
      return isolationOf(result);
    },
    async close() {
      closing.abort();
      await checking;
    },
  };
}

/**
 * What the server with the engine has found, for one that has none. It is read again after a while, and not while a caller waits,
 * who holds a connection to the database.
 */
export function createRecordedIsolation({
  records,
  clock,
  logError,
}: Pick<IsolationDeps, 'records' | 'clock' | 'logError'>): () => Promise<Isolation> {
  let found: Found | undefined;
  let readAt: number | undefined;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    try {
      found = await records.read(FOUND_PATH, FOUND);
      readAt = clock.now();
    } catch (error) {
      logError(error);
    }
    reading = undefined;
  }

  return async () => {
    if (readAt === undefined || clock.now() - readAt >= READ_AGAIN_MS) reading ??= read();
    if (readAt === undefined && reading !== undefined) await atMost(ANSWER_MS, reading, clock);
    const counts = found !== undefined && clock.now() - found.at < KEPT_MS;
    return isolationOf(counts ? found?.result : undefined);
  };
}

async function atMost(durationMs: number, work: Promise<void>, clock: Clock): Promise<void> {
  let timer: unknown;
  const timeout = new Promise<void>((resolve) => {
    timer = clock.setTimeout(resolve, durationMs);
  });
  await Promise.race([work, timeout]);
  clock.clearTimeout(timer);
}

/** Undefined: not probed yet. */
export function isolationOf(result: ProbeResult | undefined): Isolation {
  if (result?.kind === 'enforced') return { kind: 'isolated' };
  return { kind: 'not-isolated', missing: missingSentences(result), packages: [] };
}

function describe(result: ProbeResult): string {
  if (result.kind === 'enforced') return 'This cluster enforces NetworkPolicies.';
  return missingSentences(result).join(' ');
}

function missingSentences(result: Exclude<ProbeResult, { kind: 'enforced' }> | undefined) {
  if (result === undefined) {
    return ['Longshore is checking whether this cluster enforces NetworkPolicies.'];
  }
  if (result.kind === 'unknown') {
    return [
      'Longshore could not check whether this cluster enforces NetworkPolicies.',
      'Nodes must be able to run the image LONGSHORE_NODE_IMAGE. The check is repeated every minute.',
    ];
  }
  const directions = LIST.format(result.directions);
  return [
    `This cluster does not enforce NetworkPolicies for ${directions} connections.`,
    'Install a network plugin that does, such as Calico or Cilium.',
  ];
}
