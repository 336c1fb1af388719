import { UPLOAD_PATHS } from '@longshore/contract';
import type { Clock } from '@longshore/edge-contract';
import { type Context, Hono } from 'hono';
import type { Apps } from '../apps/apps.ts';
import type { EditContext } from '../apps/change-app.ts';
import { requireDeployPermission } from '../apps/deploy-permission.ts';
import { uploadSource } from '../apps/upload-source.ts';
import type { Database } from '../db/database.ts';
import { ResourceProblem } from '../db/resources.ts';
import { bodyChunks } from '../http/body-chunks.ts';
import { Problem } from '../http/problem.ts';
import { createBuckets } from '../rate-limits/buckets.ts';
import { FileStoreDown } from '../storage/file-store.ts';
import { ArchiveProblem } from './archive-problem.ts';
import type { ReceiveLimits } from './receive-archive.ts';
import type { UploadStore } from './upload-store.ts';

export type UploadsServiceDeps = {
  db: Database;
  apps: Pick<Apps, 'findOwned'>;
  rules: EditContext['rules'];
  store: UploadStore;
  /** The sample app as an archive. */
  sample(): AsyncIterable<Uint8Array>;
  session(context: Context): Promise<UploadSession | undefined>;
  /** What is used and allowed, if the disk of the account is used up. */
  diskProblemOf(userId: string, signal: AbortSignal): Promise<string | undefined>;
  clock: Clock;
  limits?: Partial<ReceiveLimits>;
};

type UploadSession = {
  userId: string;
  sessionId: string | undefined;
  onEnd(callback: () => void): () => void;
  end(): Promise<void>;
};

const LIMITS: ReceiveLimits = {
  maxReceivedBytes: 100 * 1024 ** 2,
  // What a checkout of git may have.
  maxBytes: 1024 ** 3,
  maxEntries: 200_000,
  maxDepth: 64,
};

const MINUTE_MS = 60_000;
const PER_USER = { capacity: 30, windowMs: 10 * MINUTE_MS };
const DEADLINE_MS = 10 * MINUTE_MS;
/** Of all users together. Each holds the paths of an archive in memory. */
const MAX_AT_ONCE = 4;
const GZIP_TYPES = ['application/gzip', 'application/x-gzip'];
const DISK_FULL = ['ENOSPC', 'EDQUOT'];

/**
 * `POST /:id/source` with a .tar.gz archive: makes it the source of the app and deploys it.
 * `POST /:id/sample`: the same with the sample app.
 */
export function createUploadsService(deps: UploadsServiceDeps): Hono {
  const { db, apps, rules, store, clock } = deps;
  const limits = { ...LIMITS, ...deps.limits };
  const buckets = createBuckets({ clock });
  const uploading = new Set<string>();
  const service = new Hono();

  service.post(UPLOAD_PATHS.source, (context) =>
    upload(context, (signal) => {
      requireGzip(context.req.header('content-type'));
      return bodyChunks(context.req.raw, { clock, cutOff, stalled, signal });
    }),
  );
  service.post(UPLOAD_PATHS.sample, (context) => upload(context, deps.sample));
  return service;

  async function upload(
    context: Context,
    bodyOf: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
  ): Promise<Response> {
    const session = await deps.session(context);
    if (session === undefined) {
      throw new Problem(401, 'unauthorized', 'Missing or invalid access token');
    }
    const aborting = new AbortController();
    const deadline = new AbortController();
    const timer = clock.setTimeout(() => deadline.abort(), DEADLINE_MS);
    const signals = [context.req.raw.signal, aborting.signal, deadline.signal];
    const signal = AbortSignal.any(signals);
    const stopWatching = session.onEnd(() => aborting.abort(sessionEnded()));
    try {
      const app = await apps.findOwned(session.userId, context.req.param('id') ?? '');
      if (app === undefined) throw notFound();
      const body = bodyOf(signal);
      const release = await admit(session.userId, signal);
      try {
        return context.json(await deploy(app.id, session, { body, signal }));
      } finally {
        release();
      }
    } catch (error) {
      if (aborting.signal.aborted) throw sessionEnded();
      throw deadline.signal.aborted ? stalled() : toProblem(error);
    } finally {
      clock.clearTimeout(timer);
      stopWatching();
      await session.end();
    }
  }

  /** Throws if the user may not upload now. */
  async function admit(userId: string, signal: AbortSignal): Promise<() => void> {
    await requireDeployPermission(db, userId, rules.deployPolicy);
    await rules.quotas.requireMayDeploy(db, userId);
    const disk = await deps.diskProblemOf(userId, signal);
    if (disk !== undefined) throw quotaReached(disk);
    if (uploading.has(userId)) {
      throw new Problem(409, 'upload-in-progress', 'Another upload of your account is in progress');
    }
    if (uploading.size >= MAX_AT_ONCE) throw busy();
    const taken = buckets.take(userId, PER_USER);
    if (!taken.isAllowed) throw tooMany(taken.retryAfterMs);
    uploading.add(userId);
    return () => uploading.delete(userId);
  }

  async function deploy(
    appId: string,
    { userId, sessionId }: UploadSession,
    { body, signal }: { body: AsyncIterable<Uint8Array>; signal: AbortSignal },
  ) {
    const archive = await store.receive(body, { limits, signal });
    const { digest, bytes, files } = archive;
    try {
      const editor = { role: 'user', userId, sessionId } as const;
      const needed = await db.transaction().execute(async (tx) => {
        const digests = await uploadSource(tx, { appId, digest, bytes }, { editor, rules });
        // In the transaction: a pass starts when it ends, and an app that is deleted meanwhile waits for its end.
        if (digests !== undefined) await archive.keep(appId);
        return digests;
      });
      if (needed === undefined) throw notFound();
      await store.prune(appId, needed);
      return { digest, bytes, files };
    } finally {
      await archive.discard();
    }
  }
}

function requireGzip(contentType: string | undefined): void {
  const [type = ''] = (contentType ?? '').toLowerCase().split(';');
  if (contentType === undefined || GZIP_TYPES.includes(type.trim())) return;
  const message = 'Send a .tar.gz archive with the header Content-Type: application/gzip';
  throw new Problem(415, 'unsupported-media-type', message);
}

/** Unexpected errors stay as they are. */
function toProblem(error: unknown): unknown {
  if (error instanceof ArchiveProblem) {
    const [status, code] = error.isTooLarge
      ? ([413, 'archive-too-large'] as const)
      : ([400, 'invalid-archive'] as const);
    return new Problem(status, code, `${error.message}. Nothing was changed.`, { cause: error });
  }
  if (error instanceof ResourceProblem) {
    const status = error.reason === 'conflict' ? 409 : 403;
    return new Problem(status, 'upload-refused', error.message, { cause: error });
  }
  if (error instanceof FileStoreDown) {
    const message = 'The object store does not answer. Nothing was changed. Try again later';
    return new Problem(503, 'object-store-down', message, { cause: error });
  }
  const { code = '' } = error as NodeJS.ErrnoException;
  return DISK_FULL.includes(code)
    ? new Problem(507, 'disk-full', 'The disk of the server is full', { cause: error })
    : error;
}

function notFound(): Problem {
  return new Problem(404, 'not-found', 'App not found');
}

function sessionEnded(): Problem {
  return new Problem(401, 'unauthorized', 'The session has ended');
}

function cutOff(cause: unknown): Problem {
  return new Problem(400, 'invalid-archive', 'The upload was cut off', { cause });
}

function stalled(): Problem {
  return new Problem(408, 'request-timeout', 'The upload took too long to arrive');
}

function quotaReached(usage: string): Problem {
  const message = `The disk space of your account is used up: ${usage}. Delete an app, or ask the operator for more`;
  return new Problem(413, 'disk-quota-reached', message);
}

function busy(): Problem {
  const message = 'Too many uploads are in progress on this server. Try again in a moment';
  return new Problem(503, 'too-many-uploads', message, { headers: { 'retry-after': '10' } });
}

function tooMany(retryAfterMs: number): Problem {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  return new Problem(429, 'too-many-requests', `Too many uploads. Try again in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  });
}
