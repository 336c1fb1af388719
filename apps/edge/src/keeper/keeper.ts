import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import {
  type Clock,
  type EdgeMessage,
  PROTOCOL,
  type ServerMessage,
  type StateChange,
  systemClock,
} from '@longshore/edge-contract';
import { createAccessRelay } from '../access/access-relay.ts';
import { build } from '../build.ts';
import type { WorkerToKeeper } from '../worker/worker-messages.ts';
import { createControlServer } from './control-server.ts';
import type { EdgeFolder } from './edge-folder.ts';
import { createKeptState } from './edge-state.ts';
import { type Successor, serveSuccessor } from './handover.ts';
import { createIdleApps } from './idle-apps.ts';
import type { KeeperStart } from './keeper-messages.ts';
import { createWorkers, type WorkerChannel } from './workers.ts';

export type KeeperDeps = {
  clock: Clock;
  folder: EdgeFolder;
  start: KeeperStart;
  /** `descriptors`: the positions of the listening sockets among those of this process. */
  spawnWorker(descriptors: number[]): WorkerChannel;
  /** The keeper that this one replaces. */
  predecessor?: WorkerChannel | undefined;
  /** Starts the next version with the same listening sockets. Throws when it does not become ready. */
  startSuccessor(replace: ReplaceMessage, start: KeeperStart): Promise<Successor>;
  /** Closes the listening sockets in this process. */
  closeListeners(): void;
  onEnd(): void;
};

type ReplaceMessage = Extract<ServerMessage, { kind: 'replace' }>;

export type Keeper = {
  /** Resolves when visitors and the server are answered. */
  start(): Promise<void>;
  stop(drainMs: number): Promise<void>;
};

const SAVE_AFTER_MS = 200;
/** The disk may have room later. */
const SAVE_AGAIN_MS = 30_000;
/** Reports for a server that is away. */
const MAX_REPORTS = 100;
/** The server refuses longer texts. */
const MAX_REPORT_LENGTH = 8_192;
const TICKET_KEY_BYTES = 48;
/** A key that is stolen later must not decrypt what was recorded long before. */
const TICKET_KEYS_LAST_MS = 12 * 3_600_000;
/** Long enough for most websockets and downloads of a keeper that is replaced. */
const REPLACED_DRAIN_MS = 600_000;

export function createKeeper(deps: KeeperDeps): Keeper {
  const { clock, folder } = deps;
  const { listeners, slots, handover } = deps.start;
  const loaded = folder.loadState();
  const state = createKeptState(typeof loaded === 'string' ? undefined : loaded);
  let ticketKeys = handover?.ticketKeys ?? newTicketKeys();
  let ticketKeysAt = clock.now();
  const pendingWakes = new Set(handover?.pendingWakes);
  let reports: Extract<EdgeMessage, { kind: 'report' }>[] = [];
  let connection = 0;
  let isConnected = false;
  let saveTimer: unknown;
  let isSaved = true;
  let checkTimer: unknown;
  let isStopping = false;
  /** Messages of the server that wait until it is known which keeper serves. */
  let postponed: ServerMessage[] | undefined;
  let successor: Successor | undefined;

  const access = createAccessRelay({
    run: randomUUID(),
    clock: systemClock,
    report: (text) => report('warn', text),
  });

  const workers = createWorkers({
    clock,
    slots,
    spawn: (taken) => deps.spawnWorker(descriptorsOf(taken)),
    startMessage: (taken) => ({
      kind: 'start',
      descriptors: listeners.flatMap(({ protocol }) => taken.map((slot) => ({ protocol, slot }))),
      state: state.all(),
      ticketKeys,
    }),
    onMessage: receiveFromWorker,
    onCount: sendCount,
    onCrash(reason) {
      idleApps.activityLost();
      report('error', `A worker of the edge ended unexpectedly and is replaced: ${reason}`);
    },
  });

  const idleApps = createIdleApps({
    clock,
    quietMs: workers.quietMs,
    onIdle: (appId) => void control.send({ kind: 'idle', appId }),
  });

  const control = createControlServer({
    secret: folder.secret,
    welcome: () => ({
      kind: 'welcome',
      protocol: PROTOCOL,
      build,
      pid: process.pid,
      listeners,
      answersAskIdle: true,
    }),
    onConnected() {
      connection += 1;
      isConnected = true;
      sendCount();
      for (const appId of pendingWakes) control.send({ kind: 'wake', appId });
      for (const message of reports) control.send(message);
      reports = [];
      access.connected({ send: control.send, isBusy: control.isBusy });
    },
    onDisconnected() {
      isConnected = false;
      access.disconnected();
      state.cancelSync();
    },
    onMessage: receiveFromServer,
  });

  function sendCount(): void {
    control.send({ kind: 'workers', ...workers.count() });
  }

  function descriptorsOf(taken: number[]): number[] {
    return listeners.flatMap((_, listener) => taken.map((slot) => listener * slots + slot));
  }

  function receiveFromWorker(message: WorkerToKeeper): void {
    if (successor !== undefined) {
      successor.send(message);
      return;
    }
    switch (message.kind) {
      case 'wake':
        pendingWakes.add(message.appId);
        control.send(message);
        break;
      case 'access':
        access.receive(message.report);
        break;
      case 'access-handover':
        access.takeOver(message.handover);
        break;
      case 'last-activity':
        idleApps.workerEnded(message.quietMs);
        break;
      case 'report':
        report(message.level, message.text);
        break;
      case 'listening':
      case 'failing':
      case 'applied':
      case 'drained':
      case 'activity':
      case 'pong':
        break;
    }
  }

  function receiveFromServer(message: ServerMessage): void {
    if (postponed !== undefined) {
      postponed.push(message);
      return;
    }
    switch (message.kind) {
      case 'sync':
        if (message.phase === 'begin') state.beginSync();
        else endSync();
        break;
      case 'change':
        void applyChange(state.apply(message.change));
        break;
      case 'ping':
        control.send({ kind: 'pong' });
        break;
      case 'drain': {
        const { id, target, timeoutMs } = message;
        answerWhen(workers.drain(target, timeoutMs), { kind: 'drained', id });
        break;
      }
      case 'ask-idle':
        void idleApps.ask(message.appId);
        break;
      case 'wake-refused':
        pendingWakes.delete(message.appId);
        workers.broadcast(message);
        break;
      case 'stop':
        void stop(message.drainMs);
        break;
      case 'counters-stored':
        access.stored(message.run, message.batch);
        break;
      case 'replace':
        void replace(message);
        break;
      case 'hello':
        break;
    }
  }

  function endSync(): void {
    const removals = state.endSync();
    if (removals !== undefined) answerWhen(applyChange(removals), { kind: 'synced' });
  }

  async function applyChange(change: StateChange): Promise<void> {
    for (const route of change.routes ?? []) {
      idleApps.routeChanged(route);
      if (route.state.kind !== 'hibernated') pendingWakes.delete(route.appId);
    }
    for (const appId of change.removedApps ?? []) {
      idleApps.removed(appId);
      pendingWakes.delete(appId);
    }
    saveTimer ??= clock.setTimeout(save, SAVE_AFTER_MS);
    await workers.change(change);
  }

  /** Only to the server that asked. */
  function answerWhen(done: Promise<void>, answer: EdgeMessage): void {
    const asking = connection;
    void done.then(() => {
      if (asking === connection) control.send(answer);
    });
  }

  function save(): void {
    clock.clearTimeout(saveTimer);
    saveTimer = undefined;
    try {
      folder.saveState(state.all());
      isSaved = true;
    } catch (error) {
      if (isSaved) report('warn', `The edge cannot write its snapshot: ${String(error)}`);
      isSaved = false;
      if (!isStopping) saveTimer = clock.setTimeout(save, SAVE_AGAIN_MS);
    }
  }

  function report(level: 'info' | 'warn' | 'error', text: string): void {
    folder.log(`${level}: ${text}`);
    const message = { kind: 'report', level, text: text.slice(0, MAX_REPORT_LENGTH) } as const;
    if (isConnected) control.send(message);
    else reports = [...reports, message].slice(-MAX_REPORTS);
  }

  function check(): void {
    if (folder.isGone()) {
      void stop(0);
      return;
    }
    if (clock.now() - ticketKeysAt > TICKET_KEYS_LAST_MS) {
      ticketKeys = newTicketKeys();
      ticketKeysAt = clock.now();
      workers.broadcast({ kind: 'ticket-keys', ticketKeys });
    }
    checkTimer = clock.setTimeout(check, workers.check());
  }

  /** The server must not see an answer about a state that the successor does not have: its messages wait. */
  async function replace(message: ReplaceMessage): Promise<void> {
    postponed = [];
    control.pause();
    save();
    const handover = { ticketKeys, pendingWakes: [...pendingWakes] };
    try {
      const next = await deps.startSuccessor(message, {
        kind: 'start',
        listeners,
        slots,
        handover,
      });
      await endAfterHandover(next);
    } catch (error) {
      report(
        'error',
        `The new version of the edge did not start, the old one still serves. ${error}`,
      );
      const waiting = postponed;
      postponed = undefined;
      control.resume();
      for (const each of waiting) receiveFromServer(each);
    }
  }

  async function endAfterHandover(next: Successor): Promise<void> {
    successor = next;
    stopServing();
    next.send({ kind: 'access-handover', handover: access.handOver() });
    serveSuccessor(next, workers);
    await workers.stop(REPLACED_DRAIN_MS);
    deps.onEnd();
  }

  function stopServing(): void {
    isStopping = true;
    clock.clearTimeout(checkTimer);
    clock.clearTimeout(saveTimer);
    idleApps.stop();
    control.close();
    // The next edge can bind the ports while connections of this one still end.
    deps.closeListeners();
  }

  async function stop(drainMs: number): Promise<void> {
    if (isStopping) return;
    if (saveTimer !== undefined) save();
    stopServing();
    rmSync('control.sock', { force: true });
    folder.removePid();
    await workers.stop(drainMs);
    deps.onEnd();
  }

  return {
    stop,
    async start() {
      if (loaded === 'damaged') {
        report(
          'warn',
          'The snapshot of the edge is damaged. It waits for the state of the server.',
        );
      }
      for (const route of state.all().routes) idleApps.routeChanged(route);
      await workers.start();
      if (deps.predecessor !== undefined) workers.adopt(deps.predecessor);
      await control.listen();
      folder.savePid();
      check();
    },
  };
}

function newTicketKeys(): string {
  return randomBytes(TICKET_KEY_BYTES).toString('base64');
}
