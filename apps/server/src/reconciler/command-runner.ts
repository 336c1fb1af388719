import { setTimeout as delay } from 'node:timers/promises';
import { commandLogName, sizeOf, type TierTable } from '@longshore/contract';
import type { CommandStore, EndedCommand, QueuedCommand } from '../apps/commands.ts';
import type { ReconcilerStore } from '../apps/reconciler-store.ts';
import type { Change } from '../db/change.ts';
import type { CommandEnd, Engine, ReleaseSpec } from '../engines/engine.ts';
import { EngineFailure, toEngineFailure } from '../engines/failure.ts';
import { FAILURE_MESSAGES } from '../engines/failure-messages.ts';
import { exitText } from './crash-report.ts';
import { desiredApp, engineSettings } from './desired.ts';

export type CommandRunnerDeps = {
  commands: CommandStore;
  store: Pick<ReconcilerStore, 'app' | 'releases'>;
  engine: Pick<Engine, 'runCommand'>;
  /** The secrets that an app has now are masked in what is stored. */
  mask(appId: string): Promise<(text: string) => string>;
  tiers: TierTable;
  baseDomain: string;
  listen(listener: (change: Change) => void): () => void;
  logError(error: unknown): void;
};

export type CommandRunner = {
  start(): Promise<void>;
  /** Ends all commands. */
  stop(): Promise<void>;
};

const INTERRUPTED = 'The server was restarted while the command ran.';
/** Stored as the text of a command whose secrets are unknown. */
const HIDDEN = '***';
const RETRY_MS = 1_000;

type Running = { stopping: AbortController; ended: Promise<void>; isCancelled: boolean };

/** Runs the commands that users queued, and ends those that they cancel. */
export function createCommandRunner(deps: CommandRunnerDeps): CommandRunner {
  const { commands, engine, listen, logError } = deps;
  const running = new Map<string, Running>();
  const stopped = new AbortController();
  let turns = Promise.resolve();
  let stopListening = () => {};

  /** One look at a time, so that no command is started twice. */
  function look(): void {
    turns = turns.then(async () => {
      if (stopped.signal.aborted) return;
      for (const command of await commands.queued()) {
        if (!running.has(keyOf(command))) run(command);
      }
      for (const command of await commands.cancelled()) cancel(keyOf(command));
    }, logError);
    turns = turns.catch(logError);
  }

  function cancel(key: string): void {
    const command = running.get(key);
    if (command === undefined) return;
    command.isCancelled = true;
    command.stopping.abort();
  }

  function run(command: QueuedCommand): void {
    const key = keyOf(command);
    const stopping = new AbortController();
    const entry: Running = { stopping, ended: Promise.resolve(), isCancelled: false };
    running.set(key, entry);
    entry.ended = runToEnd(command, entry)
      .catch(logError)
      .finally(() => running.delete(key));
  }

  async function runToEnd(command: QueuedCommand, entry: Running): Promise<void> {
    const { appId, number } = command;
    const text = await maskedText(command);
    const end = await endOf(command, text, entry);
    if (end !== undefined) await storeEnd({ appId, number, text, ...end });
  }

  async function maskedText({ appId, text }: QueuedCommand): Promise<string> {
    try {
      return (await deps.mask(appId))(text);
    } catch (error) {
      logError(error);
      return HIDDEN;
    }
  }

  /** Tries until the database answers, at least once. The next server marks what cannot be stored. */
  async function storeEnd(end: EndedCommand): Promise<void> {
    for (;;) {
      const { aborted: isLast } = stopped.signal;
      try {
        return await commands.end(end);
      } catch (error) {
        logError(error);
      }
      if (isLast) return;
      await delay(RETRY_MS, undefined, { signal: stopped.signal }).catch(() => {});
    }
  }

  /** Undefined if it was not queued any more. */
  async function endOf(
    command: QueuedCommand,
    masked: string,
    entry: Running,
  ): Promise<CommandOutcome | undefined> {
    const { appId, number, text, timeoutMs } = command;
    try {
      if (!(await commands.start(command, masked))) return undefined;
      const spec = await specOf(command, deps);
      const logName = commandLogName(appId, number);
      const request = { id: `run-${number}`, text, logName, timeoutMs };
      return outcomeOf(await engine.runCommand(spec, request, entry.stopping.signal));
    } catch (error) {
      if (entry.isCancelled) return { state: 'cancelled' };
      if (stopped.signal.aborted) return { state: 'interrupted', message: INTERRUPTED };
      const { reason, evidence } = toEngineFailure(error);
      if (reason === 'engine-failed') logError(error);
      const { whatHappened } = FAILURE_MESSAGES[reason];
      return { state: 'failed', message: [whatHappened, ...evidence.slice(0, 1)].join(' ') };
    }
  }

  return {
    async start() {
      await commands.interruptRunning(INTERRUPTED);
      stopListening = listen((change) => {
        const isCommand = change.kind === 'rows' && change.change.table === 'commands';
        if (isCommand || change.kind === 'missed') look();
      });
      look();
      await turns;
    },
    async stop() {
      stopped.abort();
      stopListening();
      await turns;
      for (const { stopping } of running.values()) stopping.abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

type CommandOutcome = Omit<EndedCommand, 'appId' | 'number'>;

/** Pure. */
export function outcomeOf(end: CommandEnd): CommandOutcome {
  if (end.kind === 'timed-out') return { state: 'timed-out' };
  const { code, isOutOfMemory } = end.exit;
  if (code === 0) return { state: 'succeeded', exitCode: 0 };
  if (code !== undefined) return { state: 'failed', exitCode: code };
  const message = isOutOfMemory
    ? 'The command exceeded the memory limit of the app.'
    : exitText(end.exit);
  return { state: 'failed', message };
}

async function specOf(
  { appId, release: number }: QueuedCommand,
  { store, tiers, baseDomain }: CommandRunnerDeps,
): Promise<ReleaseSpec> {
  const app = await store.app(appId);
  const release = (await store.releases(appId)).live.find((live) => live.number === number);
  if (app === undefined || app.deleted || release === undefined) {
    throw new EngineFailure('engine-failed', [`Release ${number} is no longer stored.`]);
  }
  const { spec } = desiredApp(app, baseDomain);
  const size = sizeOf(release.values.resourceTier, tiers);
  return { ...spec, ...engineSettings(release.values), size, number };
}

function keyOf({ appId, number }: { appId: string; number: number }): string {
  return `${appId} ${number}`;
}
