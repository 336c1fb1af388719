import type { HttpBindings } from '@hono/node-server';
import {
  type Parsed,
  parseLogDownloadRequest,
  parseLogSearchRequest,
  parseLogsRequest,
} from '@longshore/contract';
import { type Context, Hono } from 'hono';
import { createKeyedSemaphore } from '../concurrency/keyed-semaphore.ts';
import { createSemaphore, type Release } from '../concurrency/semaphore.ts';
import { cutOnFailure } from '../http/cut-on-failure.ts';
import { Problem } from '../http/problem.ts';
import { acceptsGzip, downloadName, encodeDownload } from './download.ts';
import { CONTENT_TYPES, encodeBatch, lineFormatOf } from './line-format.ts';
import type { LogQuery, LogReader } from './log-reader.ts';
import type { LogStore } from './log-store.ts';
import { streamLines } from './stream-lines.ts';

/** For finding the first line of a stream, and for a page of a search. */
const SCAN_TIMEOUT_MS = 30_000;
const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
/** A download that its client does not read for this long ends with an error. */
const DOWNLOAD_IDLE_MS = 30_000;
/** Enough for a user with many tabs. */
const STREAMS_PER_USER = 24;
/** Searches and downloads of one user at a time. */
const SCANS_PER_USER = 4;
/** Searches for a text that read files at a time, of all users. The others wait. */
const ACTIVE_SEARCHES = 2;

/** The caller, and when their access token expires. `onEnd` calls back if they sign out before. */
export type LogsSession = {
  userId: string;
  expiresAt: Date;
  onEnd(callback: () => void): () => void;
};

export type LogsServiceDeps = {
  store: Pick<LogStore, 'open' | 'search' | 'kept'>;
  clock: { now(): number };
  session(request: Request): Promise<LogsSession | undefined>;
  /** False for apps of other users, for unknown and for deleted apps. */
  ownsApp(userId: string, projectId: string, appId: string): Promise<boolean>;
  /** A stream or download ended before its last line. */
  logCut(error: unknown, appId: string): void;
  limits?: {
    streamsPerUser?: number;
    scansPerUser?: number;
    scanMs?: number;
    downloadIdleMs?: number;
  };
};

/**
 * `POST /`: streams the lines of an app (spec-map 7.6.1). `POST /search`: finds lines. `POST /download`: a file of all
 * lines. `POST /kept`: what is stored. Errors are thrown as `Problem`.
 */
export function createLogsService(deps: LogsServiceDeps): Hono {
  const { store, clock, limits = {} } = deps;
  const streams = createKeyedSemaphore(limits.streamsPerUser ?? STREAMS_PER_USER);
  const scans = createKeyedSemaphore(limits.scansPerUser ?? SCANS_PER_USER);
  const activeSearches = createSemaphore(ACTIVE_SEARCHES);
  const scanMs = limits.scanMs ?? SCAN_TIMEOUT_MS;
  const idleMs = limits.downloadIdleMs ?? DOWNLOAD_IDLE_MS;
  const service = new Hono();

  service.post('/', async (context) => {
    const { caller, request } = await authorise(context, parseLogsRequest);
    const format = lineFormatOf(context.req.header('accept'));
    const release = acquire(streams.tryAcquire(caller.userId), TOO_MANY_STREAMS);
    const reader = await open(context, request, release);
    const lines = streamLines(reader, encodeBatch[format], {
      ...untilSignedOut(context, caller, release),
      lifetimeMs: caller.expiresAt.getTime() - clock.now(),
    });
    return streamResponse(cutting(lines, request.appId, context), {
      'Content-Type': CONTENT_TYPES[format],
    });
  });

  service.post('/search', async (context) => {
    const { caller, request } = await authorise(context, parseLogSearchRequest);
    const release = acquire(scans.tryAcquire(caller.userId), TOO_MANY_SCANS);
    try {
      const page = await scan(context, request, (signal) =>
        store.search(request.appId, request, signal),
      );
      return context.json(page, 200, NOT_STORED);
    } finally {
      release();
    }
  });

  service.post('/download', async (context) => {
    const { caller, request } = await authorise(context, parseLogDownloadRequest);
    const release = acquire(scans.tryAcquire(caller.userId), TOO_MANY_SCANS);
    const all = { ...request, after: 0, tailLines: 0, follow: false, previous: false };
    const lines = streamLines(await open(context, all, release), encodeDownload, {
      ...untilSignedOut(context, caller, release),
      lifetimeMs: DOWNLOAD_TIMEOUT_MS,
      idleMs,
      isCompleteOnly: true,
    });
    const isGzip = acceptsGzip(context.req.header('accept-encoding'));
    const body = isGzip ? lines.pipeThrough(new CompressionStream('gzip')) : lines;
    return streamResponse(cutting(body, request.appId, context), {
      'Content-Type': CONTENT_TYPES.text,
      'Content-Disposition': `attachment; filename="${downloadName(request, clock.now())}"`,
      Vary: 'Accept-Encoding',
      ...(isGzip ? { 'Content-Encoding': 'gzip' } : {}),
    });
  });

  service.post('/kept', async (context) => {
    const { request } = await authorise(context, parseLogDownloadRequest);
    return context.json(await store.kept(request.appId), 200, NOT_STORED);
  });
  return service;

  function cutting(
    body: ReadableStream<Uint8Array>,
    appId: string,
    { env }: Context,
  ): ReadableStream<Uint8Array> {
    // Without a connection, the service is called in the same process.
    const outgoing = (env as Partial<HttpBindings> | undefined)?.outgoing;
    if (outgoing === undefined) return body;
    return cutOnFailure(body, (error) => {
      deps.logCut(error, appId);
      outgoing.destroy();
    });
  }

  /** The signed-in caller and their request, if the app belongs to them. */
  async function authorise<Body extends { projectId: string; appId: string }>(
    { req }: Context,
    parse: (body: unknown) => Parsed<Body>,
  ): Promise<{ caller: LogsSession; request: Body }> {
    const caller = await deps.session(req.raw);
    if (caller === undefined) {
      throw new Problem(401, 'unauthorized', 'Missing or invalid access token');
    }
    const parsed = parse(await req.json().catch(() => undefined));
    if (!parsed.ok) throw new Problem(400, 'invalid-request', parsed.message);
    const { projectId, appId } = parsed.value;
    if (!(await deps.ownsApp(caller.userId, projectId, appId))) {
      throw new Problem(404, 'not-found', 'App not found');
    }
    return { caller, request: parsed.value };
  }

  async function open(
    context: Context,
    query: LogQuery & { appId: string },
    release: Release,
  ): Promise<LogReader> {
    const openReader = (signal: AbortSignal) => store.open(query.appId, query, signal);
    return await scan(context, query, openReader).catch((error: unknown) => {
      release();
      throw error;
    });
  }

  /** Runs work that may read all files of an app. It ends with the request, or after a time. */
  async function scan<Result>(
    { req }: Context,
    { text }: { text?: string | undefined },
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const timeout = AbortSignal.timeout(scanMs);
    const signal = AbortSignal.any([req.raw.signal, timeout]);
    try {
      return await (text === undefined
        ? work(signal)
        : activeSearches.run(() => work(signal), signal));
    } catch (error) {
      if (!timeout.aborted || req.raw.signal.aborted) throw error;
      throw new Problem(503, 'timeout', 'Reading the log took too long. Try again.');
    }
  }
}

/** Ends a stream when its client disconnects or its caller signs out. */
function untilSignedOut({ req }: Context, caller: LogsSession, release: Release) {
  const signedOut = new AbortController();
  const stopWaiting = caller.onEnd(() => signedOut.abort());
  return {
    client: AbortSignal.any([req.raw.signal, signedOut.signal]),
    onEnd() {
      stopWaiting();
      release();
    },
  };
}

const NOT_STORED = { 'Cache-Control': 'no-store' };
const TOO_MANY_STREAMS = 'Too many log streams are open. Close some of them and try again.';
const TOO_MANY_SCANS = 'Too many log searches and downloads are running. Try again when one ends.';

function acquire(release: Release | undefined, message: string): Release {
  if (release === undefined) throw new Problem(429, 'too-many-requests', message);
  return release;
}

function streamResponse(
  lines: ReadableStream<Uint8Array>,
  headers: Record<string, string>,
): Response {
  return new Response(lines, {
    headers: {
      ...headers,
      ...NOT_STORED,
      'X-Content-Type-Options': 'nosniff',
      // Disables response buffering in nginx and compatible proxies.
      'X-Accel-Buffering': 'no',
    },
  });
}
