import { statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type {
  CallMessage,
  FromThread,
  FunctionContext,
  ThreadData,
  ToThread,
} from './thread-messages.ts';
import { fileStamp } from './thread-messages.ts';

type Handler = (request: Request, context: FunctionContext) => unknown;
type Post = (message: FromThread, transfer?: ReadableStream[]) => void;

/** The method that the public clients use. */
const DEFAULT_METHODS = ['POST'];

/** Entry point of the worker thread of one function. A blocked or crashed function does not affect the server. */
await serve(parentPort as MessagePort, (workerData as ThreadData).file);

async function serve(port: MessagePort, file: string): Promise<void> {
  const post: Post = (message, transfer = []) =>
    // Streams are transferable, but the types do not include them yet.
    port.postMessage(message, transfer as unknown as MessagePort[]);
  reportLoadedFiles(post);
  try {
    const { handler, methods } = await loadHandler(pathToFileURL(file).href);
    const running = new Map<number, AbortController>();
    port.on('message', (message: ToThread) => {
      if (message.kind === 'abort') return running.get(message.id)?.abort();
      const controller = new AbortController();
      running.set(message.id, controller);
      void runCall(message, handler, { post, signal: controller.signal }).finally(() => {
        running.delete(message.id);
        post({ kind: 'ended', id: message.id });
      });
    });
    post({ kind: 'loaded', methods });
  } catch (error) {
    post({ kind: 'unusable', error: toError(error) });
  }
}

/** Reports each file of the function before it is read, so that later changes can be detected. */
function reportLoadedFiles(post: Post): void {
  registerHooks({
    load(url, context, next) {
      // Packages are not expected to change while the server runs.
      if (url.startsWith('file:') && !url.includes('/node_modules/')) {
        const file = fileURLToPath(url);
        const stats = statSync(file, { throwIfNoEntry: false });
        if (stats !== undefined) post({ kind: 'read', file, stamp: fileStamp(stats) });
      }
      return next(url, context);
    },
  });
}

/** The default export of a module, and the HTTP methods it exports as `methods`. */
async function loadHandler(url: string): Promise<{ handler: Handler; methods: string[] }> {
  const { default: handler, methods = DEFAULT_METHODS }: Record<string, unknown> = await import(
    url
  );
  if (typeof handler !== 'function') throw new TypeError('The default export is not a function');
  if (!Array.isArray(methods) || !methods.every((method) => typeof method === 'string')) {
    throw new TypeError('The export "methods" is not an array of strings');
  }
  return { handler: handler as Handler, methods: methods.map((method) => method.toUpperCase()) };
}

/** Runs one call and posts its response. Resolves when the handler has finished; never rejects. */
async function runCall(
  { id, method, url, headers, body, context }: CallMessage,
  handler: Handler,
  { post, signal }: { post: Post; signal: AbortSignal },
): Promise<void> {
  post({ kind: 'started', id });
  try {
    const request = new Request(url, { method, headers, body, signal });
    const response = await handler(request, context);
    if (!(response instanceof Response)) {
      throw new TypeError('The function did not return a Response');
    }
    const { status, body: responseBody } = response;
    post(
      { kind: 'response', id, status, headers: [...response.headers], body: responseBody },
      responseBody === null ? [] : [responseBody],
    );
  } catch (thrown) {
    post({ kind: 'failed', id, error: cloneableError(toError(thrown)) });
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Without additional properties, which may not be transferable to another thread. */
function cloneableError({ name, message, stack }: Error): Error {
  return Object.assign(new Error(message), { name, stack });
}
