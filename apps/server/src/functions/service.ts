import { mkdir } from 'node:fs/promises';
import { SERVICE_PATHS } from '@longshore/contract';
import { mayPassOn } from '@longshore/edge-contract';
import { Hono } from 'hono';
import { clientOf } from '../http/client.ts';
import { Problem } from '../http/problem.ts';
import type { Caller, ResolveCaller } from '../http/resolve-caller.ts';
import { findModule } from './find-module.ts';
import { createFunctionHost, type FunctionHost } from './function-host.ts';
import { FunctionUnusable, functionNotFound } from './function-problems.ts';
import type { WorkerDeps } from './function-worker.ts';
import type { FunctionContext } from './thread-messages.ts';

export type FunctionsOptions = WorkerDeps & { folder: string; resolveCaller: ResolveCaller };

export type Functions = { service: Hono; host: FunctionHost; stop(): Promise<void> };

type FunctionsServiceDeps = {
  folder: string;
  host: FunctionHost;
  resolveCaller: ResolveCaller;
};

/** Serves the operator's functions at the paths of their files (spec-map 7.4.1). */
export async function createFunctions(options: FunctionsOptions): Promise<Functions> {
  const { folder, resolveCaller, ...workerDeps } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const host = createFunctionHost(workerDeps);
  const service = createFunctionsService({ folder, host, resolveCaller });
  return { service, host, stop: host.stop };
}

/** Does not check access: a function receives the caller and checks access itself. */
function createFunctionsService({ folder, host, resolveCaller }: FunctionsServiceDeps): Hono {
  return new Hono().all('*', async (context) => {
    const functionContext = contextOf(await resolveCaller(context.req.raw.headers));
    const path = pathOf(context.req.path);
    const file = await fileOf(path);
    const { method, url, headers, signal } = context.req.raw;
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const body = hasBody ? await context.req.arrayBuffer() : null;
    const client = clientOf(context);
    const passedOn = [...headers].filter(([name]) => mayPassOn(name, client));
    const request = { method, url, headers: passedOn, body, context: functionContext };
    const response = await host.call(file, request, signal).catch(async (error) => {
      // A cluster replaces all files of a mounted folder at once, maybe while one of them is loaded.
      const current = error instanceof FunctionUnusable ? await fileOf(path) : file;
      if (current === file) throw error;
      return await host.call(current, request, signal);
    });
    if (method !== 'HEAD') return response;
    await response.body?.cancel();
    return new Response(null, response);
  });

  async function fileOf(path: string): Promise<string> {
    const file = await findModule(folder, path);
    if (file === undefined) throw functionNotFound();
    return file;
  }
}

/** The path of the function below the path of the service. */
function pathOf(path: string): string {
  const servicePath = SERVICE_PATHS.functions.find(
    (prefix) => path === prefix || path.startsWith(`${prefix}/`),
  );
  return path.slice(servicePath?.length ?? 0);
}

function contextOf(caller: Caller): FunctionContext {
  switch (caller.kind) {
    case 'unauthenticated':
      return { userId: undefined, role: 'public', roles: ['public'] };
    case 'user':
      return { userId: caller.userId, role: caller.role, roles: caller.roles };
    case 'admin':
      return { userId: undefined, role: 'admin', roles: ['admin'] };
    case 'refused':
      throw caller.why === 'role'
        ? new Problem(403, 'role-not-allowed', 'Role not allowed')
        : new Problem(401, 'unauthorized', 'Missing or invalid access token');
  }
}
