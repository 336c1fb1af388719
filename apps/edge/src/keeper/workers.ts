import type { Address, Clock, StateChange } from '@longshore/edge-contract';
import type { KeeperToWorker, WorkerToKeeper } from '../worker/worker-messages.ts';
import { createQuestions } from './questions.ts';
import { type LoadSample, planLayout } from './scaling.ts';

/** A worker process, or the keeper that this one replaces: it passes messages on to its own workers. */
export type WorkerChannel = {
  send(message: KeeperToWorker): void;
  kill(): void;
  onMessage(listener: (message: WorkerToKeeper) => void): void;
  /** `reason`: what its last output was, for an exit that nobody asked for. */
  onExit(listener: (reason: string) => void): void;
};

export type WorkersDeps = {
  clock: Clock;
  /** How many there are of each listener. Each has an own socket per listener. */
  slots: number;
  spawn(slots: number[]): WorkerChannel;
  startMessage(slots: number[]): KeeperToWorker;
  onMessage(message: WorkerToKeeper): void;
  /** The number of workers changed. */
  onCount(): void;
  onCrash(reason: string): void;
};

/** The workers. Each slot of the listeners belongs to one of them; the only worker of a quiet edge has all slots. */
export type Workers = {
  /** Resolves when the first worker listens. */
  start(): Promise<void>;
  /** Takes a process that only drains. */
  adopt(channel: WorkerChannel): void;
  /** Resolves when the change is in effect in every worker. */
  change(change: StateChange): Promise<void>;
  drain(target: Address, timeoutMs: number): Promise<void>;
  /** The shortest time without traffic of each app that had any. */
  quietMs(): Promise<Record<string, number>>;
  broadcast(message: KeeperToWorker): void;
  count(): { running: number; parked: number };
  /** Kills workers that hang; starts or parks workers, depending on the load. Returns when to call it again. */
  check(): number;
  /** Resolves when the last one has exited. */
  stop(drainMs: number): Promise<void>;
};

type Worker = {
  slots: Set<number>;
  phase: 'starting' | 'listening' | 'retiring';
  /** Another one is started in its place. */
  isFailing: boolean;
  channel: WorkerChannel;
  startedAt: number;
  /** There is a ping that it has not answered, for so long. */
  isAsked: boolean;
  unansweredMs: number;
  utilization: number;
};

const CHECK_IDLE_MS = 5_000;
const CHECK_BUSY_MS = 1_000;
const BUSY = 0.2;
const HANGS_AFTER_MS = 10_000;
/** Node takes long to start on an overloaded machine. */
const START_MS = 30_000;
const STABLE_MS = 60_000;
const MAX_RESTART_DELAY_MS = 10_000;
const KILL_AFTER_MS = 5_000;

export function createWorkers(deps: WorkersDeps): Workers {
  const { clock } = deps;
  const workers = new Set<Worker>();
  const questions = createQuestions<Worker, WorkerToKeeper>({ clock });
  const restarts = new Set<unknown>();
  const allSlots = Array.from({ length: deps.slots }, (_, index) => index);
  let crashes = 0;
  let isStopping = false;
  let checkedAt = clock.now();
  let samples: LoadSample[] = [];
  let onFirstListening = () => {};
  const onLastExit: (() => void)[] = [];

  function spawn(slots: number[]): void {
    const channel = deps.spawn(slots);
    add(channel, new Set(slots), 'starting');
    channel.send(deps.startMessage(slots));
    deps.onCount();
  }

  function add(channel: WorkerChannel, slots: Set<number>, phase: Worker['phase']): void {
    const worker: Worker = {
      slots,
      phase,
      isFailing: false,
      channel,
      startedAt: clock.now(),
      isAsked: false,
      unansweredMs: 0,
      utilization: 0,
    };
    workers.add(worker);
    channel.onMessage((message) => receive(worker, message));
    channel.onExit((reason) => exited(worker, reason));
  }

  function receive(worker: Worker, message: WorkerToKeeper): void {
    if ('id' in message) questions.answer(worker, message.id, message);
    else if (message.kind === 'listening') takeSlots(worker);
    else if (message.kind === 'failing') replaceFailing(worker, message.text);
    else if (message.kind === 'pong') {
      worker.isAsked = false;
      worker.unansweredMs = 0;
      worker.utilization = message.utilization;
    } else deps.onMessage(message);
  }

  /** The slots of a worker that listens are taken from those that had them. A worker without slots retires. */
  function takeSlots(worker: Worker): void {
    worker.phase = 'listening';
    for (const other of workers) {
      if (other === worker || other.phase === 'retiring') continue;
      const slots = [...other.slots].filter((slot) => worker.slots.has(slot));
      if (slots.length === 0 || other.phase === 'starting') continue;
      for (const slot of slots) other.slots.delete(slot);
      if (other.slots.size > 0) other.channel.send({ kind: 'release', slots });
      else retire(other);
    }
    onFirstListening();
    deps.onCount();
  }

  function retire(worker: Worker): void {
    worker.phase = 'retiring';
    worker.channel.send({ kind: 'stop' });
  }

  function exited(worker: Worker, reason: string): void {
    workers.delete(worker);
    questions.leave(worker);
    replaceFailing(worker, reason);
    if (workers.size === 0) for (const resolve of onLastExit.splice(0)) resolve();
    deps.onCount();
  }

  /** Once: a worker that fails may exit, too, before another one has taken its slots. */
  function replaceFailing(worker: Worker, reason: string): void {
    if (worker.phase === 'retiring' || worker.isFailing || isStopping) return;
    worker.isFailing = true;
    deps.onCrash(reason);
    restart(worker);
  }

  function restart({ slots, startedAt }: Worker): void {
    crashes = clock.now() - startedAt > STABLE_MS ? 0 : crashes + 1;
    const timer = clock.setTimeout(() => {
      restarts.delete(timer);
      spawn([...slots]);
    }, restartDelayMs(crashes));
    restarts.add(timer);
  }

  function askAll(question: (id: number) => KeeperToWorker, timeoutMs?: number) {
    return questions.ask([...workers], timeoutMs, (worker, id) =>
      worker.channel.send(question(id)),
    );
  }

  function serving(): Worker[] {
    return [...workers].filter(({ phase }) => phase !== 'retiring');
  }

  function kill(worker: Worker): void {
    worker.channel.kill();
  }

  function checkHealth(passedMs: number): void {
    for (const worker of workers) {
      // A pause of the whole machine must not count as a pause of the worker.
      if (worker.isAsked) worker.unansweredMs += Math.min(passedMs, CHECK_IDLE_MS);
      const limitMs = worker.phase === 'starting' ? START_MS : HANGS_AFTER_MS;
      worker.isAsked = true;
      if (worker.unansweredMs >= limitMs) kill(worker);
      else worker.channel.send({ kind: 'ping' });
    }
  }

  function scale(): void {
    const current = serving();
    if (current.some(({ phase }) => phase === 'starting') || restarts.size > 0) return;
    const utilization = current.reduce((sum, worker) => sum + worker.utilization, 0);
    samples = [...samples, { at: clock.now(), utilization }];
    const plan = planLayout(samples, {
      workers: current.length,
      slots: deps.slots,
      retiring: workers.size - current.length,
    });
    samples = plan.samples;
    if (plan.action === 'grow') for (const slot of allSlots.slice(1)) spawn([slot]);
    if (plan.action === 'park') spawn(allSlots);
  }

  return {
    start() {
      spawn(allSlots);
      return new Promise((resolve) => {
        onFirstListening = resolve;
      });
    },
    adopt: (channel) => add(channel, new Set(), 'retiring'),
    async change(change) {
      await askAll((id) => ({ kind: 'change', id, change }));
    },
    async drain(target, timeoutMs) {
      await askAll((id) => ({ kind: 'drain', id, target, timeoutMs }), timeoutMs + KILL_AFTER_MS);
    },
    async quietMs() {
      const answers = await askAll((id) => ({ kind: 'ask-activity', id }), HANGS_AFTER_MS);
      const shortest: Record<string, number> = {};
      for (const answer of answers) {
        if (answer.kind !== 'activity') continue;
        for (const [appId, quietMs] of Object.entries(answer.quietMs)) {
          shortest[appId] = Math.min(quietMs, shortest[appId] ?? quietMs);
        }
      }
      return shortest;
    },
    broadcast(message) {
      for (const worker of workers) worker.channel.send(message);
    },
    count() {
      const running = serving().length;
      return { running, parked: Math.max(0, deps.slots - running) };
    },
    check() {
      const now = clock.now();
      checkHealth(now - checkedAt);
      checkedAt = now;
      if (!isStopping) scale();
      const isBusy = serving().some(({ utilization }) => utilization > BUSY);
      return isBusy ? CHECK_BUSY_MS : CHECK_IDLE_MS;
    },
    async stop(drainMs) {
      isStopping = true;
      for (const timer of restarts) clock.clearTimeout(timer);
      if (workers.size === 0) return;
      for (const { channel } of workers) channel.send({ kind: 'stop', drainMs });
      const timer = clock.setTimeout(() => {
        for (const worker of workers) kill(worker);
      }, drainMs + KILL_AFTER_MS);
      await new Promise<void>((resolve) => {
        onLastExit.push(resolve);
      });
      clock.clearTimeout(timer);
    },
  };
}

/** The first restart happens at once: connections wait in the queue of the socket. */
export function restartDelayMs(crashes: number): number {
  return crashes <= 1 ? 0 : Math.min(MAX_RESTART_DELAY_MS, 100 * 2 ** (crashes - 2));
}
