import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '@longshore/edge-contract';
import { z } from 'zod';
import type { Isolation } from '../../sandbox/isolation.ts';
import type { ProbeResult } from './network-probe.ts';

export type IsolationDeps = {
  dataDir: string;
  clock: Clock;
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

const RESULT = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('enforced') }),
  z.object({
    kind: z.literal('not-enforced'),
    directions: z.array(z.enum(['incoming', 'outgoing'])),
  }),
]);

const LIST = new Intl.ListFormat('en');

/**
 * Whether the cluster separates the networks of projects. It is probed when this is first asked, and again after a while; in the
 * meantime the result before counts, also that of an earlier server.
 */
export function createIsolationCheck(deps: IsolationDeps): IsolationCheck {
  const { clock } = deps;
  const closing = new AbortController();
  const { signal } = closing;
  const path = join(deps.dataDir, 'kubernetes', 'network-policy.json');
  let result: ProbeResult | undefined;
  let nextAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | undefined;
  const opened = readResult(path).then((found) => {
    result = found;
  });

  async function check(): Promise<void> {
    let found: ProbeResult = { kind: 'unknown' };
    try {
      await deps.updateNamespaces(signal);
      found = await deps.probe(signal);
      if (found.kind !== 'unknown') await writeResult(path, found);
    } catch (error) {
      if (!signal.aborted) deps.logError(error);
    }
    if (signal.aborted) return;
    if (found.kind !== result?.kind) deps.logInfo(describe(found));
    // A cluster without room for the probe is still the same cluster.
    if (found.kind !== 'unknown' || result === undefined) result = found;
    nextAt = clock.now() + VALID_MS[found.kind];
    checking = undefined;
  }

  return {
    async isolation() {
      await opened;
      if (clock.now() >= nextAt && !signal.aborted) checking ??= check();
      if (result === undefined && checking !== undefined) await atMost(ANSWER_MS, checking, clock);
      return isolationOf(result);
    },
    async close() {
      closing.abort();
      await checking;
    },
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

async function readResult(path: string): Promise<ProbeResult | undefined> {
  try {
    return RESULT.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}

async function writeResult(path: string, result: ProbeResult): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(result));
}
