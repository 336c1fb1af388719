import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { Clock } from '@longshore/edge-contract';
import { createLineSplitter } from '../processes/line-splitter.ts';
import {
  FunctionUnusable,
  functionFailed,
  functionStopped,
  functionTimedOut,
} from './function-problems.ts';
import { createPendingCall, type PendingCall } from './pending-call.ts';
import type { CallMessage, FromThread } from './thread-messages.ts';
import { fileStamp } from './thread-messages.ts';

/** The thread ended before the call started. The call can be sent to another thread. */
export class CallNotStarted extends Error {}

export type WorkerDeps = {
  timeoutMs: number;
  memoryMb: number;
  /** The environment variables of functions. */
  environment: Record<string, string>;
  clock: Clock;
  /** Called for each line that a function prints. */
  logLine(file: string, line: string): void;
  logError(file: string, error: Error): void;
};

export type FunctionWorker = {
  /** The HTTP methods it supports, once it is loaded. */
  readonly methods: Promise<string[]>;
  readonly callCount: number;
  /** Loaded, and without calls. A worker that is loading has a caller waiting for it. */
  readonly isIdle: boolean;
  /** Accepts calls. */
  readonly isOpen: boolean;
  /** Whether one of its files has changed. */
  isStale(): Promise<boolean>;
  call(request: Omit<CallMessage, 'kind' | 'id'>, client: AbortSignal): Promise<Response>;
  /** Accepts no more calls, and ends after the last one. */
  retire(): void;
  stop(): Promise<void>;
  readonly ended: Promise<void>;
};

const THREAD = new URL('./function-thread.ts', import.meta.url);

/** Starts a thread that runs one function. */
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
  const loadTimer = clock.setTimeout(() => {
    methods.reject(functionTimedOut(timeoutMs));
    terminate();
  }, timeoutMs);
  let isOpen = true;
  let isLoaded = false;
  let lastId = 0;
  for (const output of [thread.stdout, thread.stderr]) {
    readLines(output, (line) => logLine(file, line));
  }
  thread.on('message', handleMessage);
  thread.on('error', (error: Error) => logError(file, error));
  thread.on('exit', handleExit);

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
        const current = await stat(path).catch(() => undefined);
        if (current === undefined || fileStamp(current) !== stamp) return true;
      }
      return false;
    },
    call(request, client) {
      if (!isOpen) return Promise.reject(new CallNotStarted());
      lastId += 1;
      const id = lastId;
      const call = createPendingCall({
        timeoutMs,
        clock,
        onTimeout: retire,
        onFinished: () => removeCall(id),
      });
      calls.set(id, call);
      thread.postMessage({ ...request, kind: 'call', id });
      if (client.aborted) abortCall(id);
      else client.addEventListener('abort', () => abortCall(id), { once: true });
      return call.response;
    },
    retire,
    ended: ended.promise,
    async stop() {
      isOpen = false;
      await thread.terminate();
    },
  };

  function handleMessage(message: FromThread): void {
    switch (message.kind) {
      case 'read':
        stamps.set(message.file, message.stamp);
        break;
      case 'loaded':
        isLoaded = true;
        clock.clearTimeout(loadTimer);
        methods.resolve(message.methods);
        break;
      case 'unusable':
        logError(file, message.error);
        methods.reject(new FunctionUnusable(message.error));
        terminate();
        break;
      case 'started': {
        const call = calls.get(message.id);
        if (call !== undefined) call.hasStarted = true;
        break;
      }
      case 'response':
        calls.get(message.id)?.respond(message);
        break;
      case 'failed':
        logError(file, message.error);
        calls.get(message.id)?.fail(functionFailed(message.error));
        break;
      case 'ended':
        calls.get(message.id)?.handlerEnded();
        break;
    }
  }

  function retire(): void {
    isOpen = false;
    for (const call of calls.values()) {
      if (call.hasStarted || call.isTimedOut) continue;
      call.fail(new CallNotStarted());
      call.handlerEnded();
    }
    endIfDone();
  }

  function abortCall(id: number): void {
    calls.get(id)?.cancel();
    thread.postMessage({ kind: 'abort', id });
  }

  function removeCall(id: number): void {
    calls.delete(id);
    endIfDone();
  }

  /** Calls that timed out do not keep the thread running: one in an endless loop would never end. */
  function endIfDone(): void {
    if (!isOpen && [...calls.values()].every((call) => call.isTimedOut)) terminate();
  }

  function terminate(): void {
    isOpen = false;
    void thread.terminate();
  }

  function handleExit(): void {
    isOpen = false;
    clock.clearTimeout(loadTimer);
    methods.reject(new CallNotStarted());
    for (const call of calls.values()) {
      call.fail(call.hasStarted ? functionStopped() : new CallNotStarted());
      call.handlerEnded();
    }
    ended.resolve();
  }
}

function readLines(output: Readable, onLine: (line: string) => void): void {
  const lines = createLineSplitter(onLine);
  output.on('data', (chunk: Uint8Array) => lines.push(chunk));
  output.on('end', () => lines.end());
}
