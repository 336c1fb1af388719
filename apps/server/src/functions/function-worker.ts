import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import { stampOf } from './file-stamp.ts';
import {
  functionFailed,
  functionOverdue,
  functionStopped,
  functionUnusable,
} from './function-problem.ts';
import type { CallMessage, FromThread } from './messages.ts';
import { createPendingCall, type PendingCall } from './pending-call.ts';
import { readOutput } from './read-output.ts';

/** The call never began, because the thread went away first. Another one may take it. */
export class NotBegun extends Error {}

export type WorkerDeps = {
  timeoutMs: number;
  memoryMb: number;
  /** The variables that functions see. */
  environment: Record<string, string>;
  clock: Clock;
  /** What a function prints, and what goes wrong in it. */
  logLine(file: string, line: string): void;
  logError(file: string, error: Error): void;
};

export type FunctionWorker = {
  /** The methods it answers, once it is loaded. */
  readonly methods: Promise<string[]>;
  readonly callCount: number;
  /** Loaded, and at no call. Somebody waits for one that is being loaded. */
  readonly isIdle: boolean;
  readonly isOpen: boolean;
  /** Whether a file it is made of has changed. */
  isStale(): Promise<boolean>;
  call(request: Omit<CallMessage, 'kind' | 'id'>, client: AbortSignal): Promise<Response>;
  /** Takes no calls any more and ends after the last. */
  retire(): void;
  stop(): Promise<void>;
  readonly ended: Promise<void>;
};

const THREAD = new URL('./thread/function-thread.ts', import.meta.url);

/** A thread that runs one function. */
export function startFunctionWorker(
  file: string,
  { timeoutMs, memoryMb, environment, clock, logLine, logError }: WorkerDeps,
): FunctionWorker {
  const thread = new Worker(THREAD, {
    workerData: { file },
    env: environment,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    stdout: true,
    stderr: true,
  });
  const calls = new Map<number, PendingCall>();
  const stamps = new Map<string, string>();
  const methods = Promise.withResolvers<string[]>();
  methods.promise.catch(() => {});
  const ended = Promise.withResolvers<void>();
  const loading = clock.setTimeout(() => {
    methods.reject(functionOverdue(timeoutMs));
    endNow();
  }, timeoutMs);
  let isOpen = true;
  let isLoaded = false;
  let lastId = 0;
  for (const output of [thread.stdout, thread.stderr]) {
    readOutput(output, (line) => logLine(file, line));
  }
  thread.on('message', hear);
  thread.on('error', (error: Error) => logError(file, error));
  thread.on('exit', forgetAll);

  return {
    methods: methods.promise,
    get callCount() {
      return calls.size;
    },
    get isIdle() {
      return isLoaded && calls.size === 0;
    },
    get isOpen() {
      return isOpen;
    },
    async isStale() {
      for (const [path, stamp] of stamps) {
        const now = await stat(path).catch(() => undefined);
        if (now === undefined || stampOf(now) !== stamp) return true;
      }
      return false;
    },
    call(request, client) {
      if (!isOpen) return Promise.reject(new NotBegun());
      lastId += 1;
      const id = lastId;
      const call = createPendingCall({
        timeoutMs,
        clock,
        onOverdue: retire,
        onOver: () => forget(id),
      });
      calls.set(id, call);
      thread.postMessage({ ...request, kind: 'call', id });
      if (client.aborted) leave(id);
      else client.addEventListener('abort', () => leave(id), { once: true });
      return call.response;
    },
    retire,
    ended: ended.promise,
    async stop() {
      isOpen = false;
      await thread.terminate();
    },
  };

  function hear(message: FromThread): void {
    switch (message.kind) {
      case 'read':
        stamps.set(message.file, message.stamp);
        break;
      case 'loaded':
        isLoaded = true;
        clock.clearTimeout(loading);
        methods.resolve(message.methods);
        break;
      case 'unusable':
        logError(file, message.error);
        methods.reject(functionUnusable(message.error));
        endNow();
        break;
      case 'begun': {
        const call = calls.get(message.id);
        if (call !== undefined) call.isBegun = true;
        break;
      }
      case 'answer':
        calls.get(message.id)?.answer(message);
        break;
      case 'failed':
        logError(file, message.error);
        calls.get(message.id)?.fail(functionFailed(message.error));
        break;
      case 'ended':
        calls.get(message.id)?.end();
        break;
    }
  }

  function retire(): void {
    isOpen = false;
    for (const call of calls.values()) {
      if (call.isBegun || call.isOverdue) continue;
      call.fail(new NotBegun());
      call.end();
    }
    endIfDone();
  }

  function leave(id: number): void {
    calls.get(id)?.leave();
    thread.postMessage({ kind: 'abort', id });
  }

  function forget(id: number): void {
    calls.delete(id);
    endIfDone();
  }

  /** Nobody waits for calls that are overdue: a loop in one of them would never let it end. */
  function endIfDone(): void {
    if (!isOpen && [...calls.values()].every((call) => call.isOverdue)) endNow();
  }

  function endNow(): void {
    isOpen = false;
    void thread.terminate();
  }

  function forgetAll(): void {
    isOpen = false;
    clock.clearTimeout(loading);
    methods.reject(new NotBegun());
    for (const call of calls.values()) {
      call.fail(call.isBegun ? functionStopped() : new NotBegun());
      call.end();
    }
    ended.resolve();
  }
}
