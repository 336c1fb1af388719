import type { Clock } from '../clock.ts';
import { functionStopped, functionsBusy, methodNotAllowed } from './function-problem.ts';
import {
  type FunctionWorker,
  NotBegun,
  startFunctionWorker,
  type WorkerDeps,
} from './function-worker.ts';
import type { CallMessage } from './messages.ts';

export type FunctionRequest = Omit<CallMessage, 'kind' | 'id'>;

export type FunctionHost = {
  call(file: string, request: FunctionRequest, client: AbortSignal): Promise<Response>;
  /** How many threads there are, and how many calls they are at. */
  readonly threads: number;
  readonly callCount: number;
  stop(): Promise<void>;
};

type FunctionCall = { request: FunctionRequest; client: AbortSignal };
type HostDeps = WorkerDeps & { idleMs?: number; clock: Clock };
type Hosted = { worker: FunctionWorker; idleTimer: unknown };

const IDLE_MS = 60_000;
const MAX_THREADS = 8;
const MAX_CALLS = 100;
const ATTEMPTS = 2;

/** One thread for each function in use: started by a call, replaced when its files change, stopped when nobody calls. */
export function createFunctionHost({ idleMs = IDLE_MS, ...deps }: HostDeps): FunctionHost {
  const { clock } = deps;
  const hosted = new Map<string, Hosted>();
  const threads = new Set<FunctionWorker>();
  return {
    async call(file, request, client) {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const worker = await workerFor(file);
        try {
          return await callOn(file, worker, { request, client });
        } catch (error) {
          if (!(error instanceof NotBegun)) throw error;
        }
      }
      throw functionStopped();
    },
    get threads() {
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

  /** The thread of a function as its files are now. */
  async function workerFor(file: string): Promise<FunctionWorker> {
    const current = hosted.get(file);
    const isFit = current?.worker.isOpen === true && !(await current.worker.isStale());
    // Another call may have been here meanwhile.
    const now = hosted.get(file);
    if (now !== undefined && (isFit || now !== current)) return now.worker;
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

  /** The least recently used thread that has nothing to do gives its place. */
  function makeRoom(): void {
    if (threads.size < MAX_THREADS) return;
    const idle = [...hosted].find(([, { worker }]) => worker.isIdle);
    if (idle === undefined) throw functionsBusy();
    dismiss(...idle);
  }

  function stopWhenIdle(file: string, worker: FunctionWorker): void {
    const before = hosted.get(file);
    if (before?.worker !== worker) return;
    clock.clearTimeout(before.idleTimer);
    const look = () => {
      if (worker.callCount === 0) dismiss(file, entry);
      else entry.idleTimer = clock.setTimeout(look, idleMs);
    };
    const entry: Hosted = { worker, idleTimer: clock.setTimeout(look, idleMs) };
    // Last in the map is last used.
    hosted.delete(file);
    hosted.set(file, entry);
  }

  function dismiss(file: string, { worker, idleTimer }: Hosted): void {
    clock.clearTimeout(idleTimer);
    if (hosted.get(file)?.worker === worker) hosted.delete(file);
    worker.retire();
  }
}

/** Who answers GET answers HEAD. */
function isAllowed(method: string, methods: string[]): boolean {
  return methods.includes(method) || (method === 'HEAD' && methods.includes('GET'));
}
