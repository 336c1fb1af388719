import { randomBytes } from 'node:crypto';
import type { CertificateStatus, CertificateWarning } from '@longshore/contract';
import type { Clock, StateChange } from '@longshore/edge-contract';
import type { Apps } from '../apps/apps.ts';
import { createFairQueue } from '../concurrency/fair-queue.ts';
import type { Change } from '../db/change.ts';
import type { AcmeClient } from './acme/acme-client.ts';
import type { Challenge } from './arrival.ts';
import {
  afterFailure,
  byPriority,
  type CertificateRecord,
  nextStep,
  openOrder,
  type WantedCertificate,
} from './certificate-rules.ts';
import {
  type CertificateState,
  certificateStatus,
  certificateWarnings,
  fileStatus,
  OFF,
} from './certificate-status.ts';
import type { CertificateStore } from './certificate-store.ts';
import { IssueFailure, issueCertificate } from './issue-certificate.ts';
import type { FileCertificate } from './operator-certificate.ts';
import {
  everyAppNeedsOne,
  type InstallationNames,
  isCovered,
  isPublicName,
  wantedCertificates,
} from './wanted-certificates.ts';

export type CertificatesDeps = {
  store: CertificateStore;
  apps: Pick<Apps, 'listPublic'>;
  /** Undefined: no certificate is ordered. */
  client: AcmeClient | undefined;
  /** The operator's own certificate, at the moment. */
  file(): FileCertificate | undefined;
  names: Omit<InstallationNames, 'ownNames'>;
  edge: { change(change: StateChange): void };
  /** Requests the challenge at the domain. Undefined: it arrives here. */
  checkArrival(
    domain: string,
    challenge: Challenge,
    signal: AbortSignal,
  ): Promise<CertificateRecord['failure']>;
  listen(listener: (change: Change) => void): () => void;
  clock: Clock;
  random(): number;
  log: { info(text: string): void; warn(text: string): void };
  logError(error: unknown): void;
};

export type Certificates = {
  /** Sends the stored certificates to the edge. Orders begin with `start`. */
  load(): Promise<void>;
  start(): void;
  /** Looks at all names soon, such as after the proof of a domain. */
  request(): void;
  /** Only for those who may see the domain. */
  statusOf(domain: string): CertificateStatus;
  /** Tries again now. A number: the authority does not allow it before that time. */
  retry(domain: string): Promise<'tried' | 'nothing-to-try' | number>;
  warnings(): CertificateWarning[];
  /** Deletes what is known about names that are no longer wanted. */
  forgetUnused(): Promise<void>;
  stop(): Promise<void>;
};

const TICK_MS = 30_000;
const MIN_TICK_MS = 1_000;
const MAX_ORDERS_AT_ONCE = 2;
const RUN_TIMEOUT_MS = 10 * 60_000;

/** Gets a certificate for every name that needs one, renews it, and keeps the edge up to date, until it is stopped. */
export function createCertificates(deps: CertificatesDeps): Certificates {
  const { store, client, edge, clock, random, log, logError } = deps;
  const queue = createFairQueue({ maxRunning: MAX_ORDERS_AT_ONCE, maxRunningPerKey: 1 });
  const stopping = new AbortController();
  const runs = new Map<string, { abort: AbortController; ended: Promise<void> }>();
  /** What the edge has, by id. */
  const served = new Map<string, string>();
  /** Domains whose certificate has a key that was sealed with another key: as good as none. */
  const unreadable = new Set<string>();
  let states = new Map<string, CertificateState>();
  let isStarted = false;
  let isRequested = false;
  let looking: Promise<void> | undefined;
  let timer: unknown;
  let stopListening = () => {};

  /** Reads what is wanted and what there is, and brings the edge in line. */
  async function look(): Promise<CertificateState[]> {
    const now = clock.now();
    const names = { ...deps.names, ownNames: ownCertificate(now)?.names ?? [] };
    const which = everyAppNeedsOne(names) ? undefined : 'with-custom-domain';
    const wanted = wantedCertificates(await deps.apps.listPublic(which), names);
    const records = new Map((await store.records()).map((record) => [record.domain, record]));
    const orders = await store.orders(now);
    const domains = wanted.map(({ domain }) => domain);
    // Shown as valid only when the edge has it.
    await serve(
      domains.flatMap((domain) => records.get(domain) ?? []),
      now,
    );
    const found = wanted.map((each): CertificateState => {
      const record = readable(records.get(each.domain) ?? emptyRecord(each.domain));
      return { wanted: each, record, step: nextStep(each, record, { now, orders }) };
    });
    states = new Map(found.map((state) => [state.wanted.domain, state]));
    return found;
  }

  /** The operator's own one, unless it has expired. */
  function ownCertificate(now: number): FileCertificate | undefined {
    const file = deps.file();
    return file !== undefined && now < file.until ? file : undefined;
  }

  function readable(record: CertificateRecord): CertificateRecord {
    return unreadable.has(record.domain) ? { ...record, validity: undefined } : record;
  }

  async function readRecord(domain: string): Promise<CertificateRecord> {
    return readable((await store.record(domain)) ?? emptyRecord(domain));
  }

  async function serve(records: CertificateRecord[], now: number): Promise<void> {
    const desired = new Map<string, string>();
    for (const { domain, validity } of records.map(readable)) {
      const { from, until = 0 } = validity ?? {};
      if (until > now) desired.set(domain, `${from} ${until}`);
    }
    const changed = [...desired].filter(([id, version]) => served.get(id) !== version);
    const ids = changed.map(([id]) => id);
    const certificates = await store.issued(ids, now);
    for (const id of ids) {
      if (certificates.some((certificate) => certificate.id === id)) continue;
      log.warn(`The key of the certificate of ${id} cannot be decrypted. A new one is ordered.`);
      unreadable.add(id);
      desired.delete(id);
    }
    const file = ownCertificate(now);
    if (file !== undefined) desired.set(file.id, file.version);
    if (file !== undefined && served.get(file.id) !== file.version) {
      const { id, names, chain, key } = file;
      certificates.push({ id, names: [...names], chain, key: key.reveal() });
    }
    const removed = [...served.keys()].filter((id) => !desired.has(id));
    for (const id of removed) served.delete(id);
    for (const { id } of certificates) served.set(id, desired.get(id) ?? '');
    if (certificates.length > 0) edge.change({ certificates });
    if (removed.length > 0) edge.change({ removedCertificates: removed });
  }

  function request(): void {
    if (!isStarted || stopping.signal.aborted) return;
    isRequested = true;
    looking ??= lookAndRun();
  }

  async function lookAndRun(): Promise<void> {
    let waitMs = TICK_MS;
    while (isRequested && !stopping.signal.aborted) {
      isRequested = false;
      const found = await look().catch(report);
      if (found === undefined) continue;
      endUnwanted();
      for (const state of found.toSorted(byPriority)) schedule(state);
      waitMs = untilNextStep(found, clock.now());
    }
    looking = undefined;
    clock.clearTimeout(timer);
    if (!stopping.signal.aborted) timer = clock.setTimeout(request, waitMs);
  }

  function report(error: unknown): undefined {
    if (!stopping.signal.aborted) logError(error);
  }

  /** The domain was removed, or its proof is gone. */
  function endUnwanted(): void {
    for (const [domain, { abort }] of runs) {
      const state = states.get(domain);
      if (state === undefined || state.wanted.refusal !== undefined) abort.abort();
    }
  }

  function schedule({ wanted, step }: CertificateState): void {
    const isDue = ['check-arrival', 'continue', 'order', 'renew'].includes(step.kind);
    if (!isDue || client === undefined || runs.has(wanted.domain)) return;
    const abort = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    runs.set(wanted.domain, { abort, ended: promise });
    queue.add(wanted.ownerId ?? '', async () => {
      const signal = AbortSignal.any([stopping.signal, abort.signal]);
      const isDone = signal.aborted || (await run(wanted, client, signal).then(isTrue, report));
      runs.delete(wanted.domain);
      resolve();
      // After an unexpected error not before the next tick.
      if (isDone) request();
    });
  }

  /** From the arrival to the certificate. */
  async function run(
    wanted: WantedCertificate,
    acme: AcmeClient,
    signal: AbortSignal,
  ): Promise<void> {
    const { domain } = wanted;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(RUN_TIMEOUT_MS)]);
    try {
      for (;;) {
        const now = clock.now();
        const record = await readRecord(domain);
        const step = nextStep(wanted, record, { now, orders: await store.orders(now) });
        if (step.kind === 'check-arrival') {
          const token = { token: randomToken(), response: randomToken() };
          await present(domain, token, limited).finally(() => withdraw(token));
          await store.saveArrival(domain, clock.now());
          continue;
        }
        if (!['continue', 'order', 'renew'].includes(step.kind)) return;
        const order = openOrder(record, now);
        const isRenewal = record.validity !== undefined && now < record.validity.until;
        const issuing = { client: acme, store, present, withdraw, clock, random };
        if (await issueCertificate(wanted, { order, isRenewal }, issuing, limited)) {
          unreadable.delete(domain);
          log.info(`${isRenewal ? 'Renewed' : 'Got'} the certificate of ${domain}`);
        }
        return;
      }
    } catch (error) {
      if (signal.aborted) return;
      await fail(domain, limited.aborted ? timeout(error) : error);
    }
  }

  async function fail(domain: string, error: unknown): Promise<void> {
    if (!(error instanceof IssueFailure)) throw error;
    const { failure, retryAfterMs = 0 } = error;
    const context = { now: clock.now(), random: random(), retryAfterMs };
    const failed = afterFailure(await readRecord(domain), failure, context);
    await store.saveFailure(domain, failed);
    log.warn(`No certificate for ${domain}. ${failure.code}: ${failure.detail}`);
  }

  async function present(domain: string, challenge: Challenge, signal: AbortSignal) {
    edge.change({ challenges: { [challenge.token]: challenge.response } });
    const failure = await deps.checkArrival(domain, challenge, signal);
    if (failure === undefined) return;
    withdraw(challenge);
    throw new IssueFailure(failure);
  }

  function withdraw({ token }: Challenge): void {
    edge.change({ removedChallenges: [token] });
  }

  return {
    load: async () => void (await look()),
    start() {
      isStarted = true;
      stopListening = deps.listen((change) => {
        const isEdit = change.kind === 'resource' && change.change.isNewGeneration;
        if (isEdit || change.kind === 'missed') request();
      });
      request();
    },
    request,
    statusOf(domain) {
      const file = ownCertificate(clock.now());
      if (file !== undefined && isCovered(domain, file.names)) return fileStatus(file.until);
      const state = states.get(domain);
      const isPossible = client !== undefined && isPublicName(domain);
      const isOff = !isPossible && state?.record.validity === undefined;
      return isOff ? OFF : certificateStatus(state, clock.now());
    },
    async retry(domain) {
      const record = await store.record(domain);
      if (client === undefined || record?.failure === undefined) return 'nothing-to-try';
      const { failure, nextTryAt = 0 } = record;
      if (failure.code === 'rate-limited' && clock.now() < nextTryAt) return nextTryAt;
      await store.retry(domain);
      request();
      return 'tried';
    },
    warnings: () => certificateWarnings([...states.values()], deps.file(), clock.now()),
    async forgetUnused() {
      await look();
      await store.forget([...states.keys()], clock.now());
    },
    async stop() {
      stopping.abort();
      stopListening();
      clock.clearTimeout(timer);
      await Promise.all([looking, ...[...runs.values()].map(({ ended }) => ended)]);
    },
  };
}

function emptyRecord(domain: string): CertificateRecord {
  return {
    domain,
    validity: undefined,
    order: undefined,
    attempts: 0,
    nextTryAt: undefined,
    failure: undefined,
    arrivedAt: undefined,
  };
}

/** Not later than the next tick, at which removed apps and expired certificates are found. */
function untilNextStep(states: CertificateState[], now: number): number {
  const times = states.flatMap(({ step }) =>
    'until' in step && step.until !== undefined ? [step.until - now] : [],
  );
  return Math.max(MIN_TICK_MS, Math.min(TICK_MS, ...times));
}

function isTrue(): true {
  return true;
}

function randomToken(): string {
  return randomBytes(24).toString('base64url');
}

function timeout(cause: unknown): IssueFailure {
  const detail = 'No certificate within 10 minutes';
  return new IssueFailure({ code: 'authority-unavailable', detail }, { cause });
}
