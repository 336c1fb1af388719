import type { Clock } from '@longshore/edge-contract';
import { functionStopped, functionsBusy, methodNotAllowed } from './function-problems.ts';
import {
  CallNotStarted,
  type FunctionWorker,
  startFunctionWorker,
  type WorkerDeps,
} from './function-worker.ts';
import type { CallMessage } from './thread-messages.ts';

export type FunctionRequest = Omit<CallMessage, 'kind' | 'id'>;

export type FunctionHost = {
  call(file: string, request: FunctionRequest, client: AbortSignal): Promise<Response>;
  readonly threadCount: number;
  readonly callCount: number;
  stop(): Promise<void>;
};

type FunctionCall = { request: FunctionRequest; client: AbortSignal };
type HostDeps = WorkerDeps & { idleMs?: number; clock: Clock };
type HostedWorker = { worker: FunctionWorker; idleTimer: unknown };

const IDLE_MS = 60_000;
const MAX_THREADS = 8;
const MAX_CALLS = 100;
const ATTEMPTS = 2;

/** One thread per function in use: started by a call, replaced when its files change, stopped when idle. */
export function createFunctionHost({ idleMs = IDLE_MS, ...deps }: HostDeps): FunctionHost {
  const { clock } = deps;
  const hosted = new Map<string, HostedWorker>();
  const threads = new Set<FunctionWorker>();
  return {
    async call(file, request, client) {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const worker = await workerFor(file);
        try {
          return await callOn(file, worker, { request, client });
        } catch (error) {
          if (!(error instanceof CallNotStarted)) throw error;
        }
      }
      throw functionStopped();
    },
    get threadCount() {
      return threads.size;
    },
    get callCount() {
      return [...threads].reduce((sum, worker) => sum + worker.callCount, 0);
    },
    async stop() {
      for (const { idleTimer } of hosted.values()) clock.clearTimeout(idleTimer);
      hosted.clear();
      await Promise.all([...threads].map((worker) => worker.stop()));
    },
  };

  /** The worker for the current version of the function's files. */
  async function workerFor(file: string): Promise<FunctionWorker> {
    const current = hosted.get(file);
    const isUsable = current?.worker.isOpen === true && !(await current.worker.isStale());
    // Another call may have replaced the worker during the await.
    const latest = hosted.get(file);
    if (latest !== undefined && (isUsable || latest !== current)) return latest.worker;
    current?.worker.retire();
    makeRoom();
    const worker = startFunctionWorker(file, deps);
    threads.add(worker);
    void worker.ended.then(() => threads.delete(worker));
    hosted.set(file, { worker, idleTimer: undefined });
    return worker;
  }

  async function callOn(
    file: string,
    worker: FunctionWorker,
    call: FunctionCall,
  ): Promise<Response> {
    const methods = await worker.methods;
    if (!isAllowed(call.request.method, methods)) throw methodNotAllowed(methods);
    if (worker.callCount >= MAX_CALLS) throw functionsBusy();
    const response = worker.call(call.request, call.client);
    stopWhenIdle(file, worker);
    return await response;
  }

  /** At the thread limit, retires the least recently used idle worker. */
  function makeRoom(): void {
    if (threads.size < MAX_THREADS) return;
    const idle = [...hosted].find(([, { worker }]) => worker.isIdle);
    if (idle === undefined) throw functionsBusy();
    remove(...idle);
  }

  function stopWhenIdle(file: string, worker: FunctionWorker): void {
    const previous = hosted.get(file);
    if (previous?.worker !== worker) return;
    clock.clearTimeout(previous.idleTimer);
    const checkIdle = () => {
      if (worker.callCount === 0) remove(file, entry);
      else entry.idleTimer = clock.setTimeout(checkIdle, idleMs);
    };
    const entry: HostedWorker = { worker, idleTimer: clock.setTimeout(checkIdle, idleMs) };
    // The map is ordered by last use.
    hosted.delete(file);
    hosted.set(file, entry);
  }

  function remove(file: string, { worker, idleTimer }: HostedWorker): void {
    clock.clearTimeout(idleTimer);
    if (hosted.get(file)?.worker === worker) hosted.delete(file);
    worker.retire();
  }
}

/** A function that supports GET supports HEAD too. */
function isAllowed(method: string, methods: string[]): boolean {
  return methods.includes(method) || (method === 'HEAD' && methods.includes('GET'));
}
