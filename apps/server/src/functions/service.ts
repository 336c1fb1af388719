import { Hono } from 'hono';
import { Problem } from '../http/problem.ts';
import type { Caller, ResolveCaller } from '../http/resolve-caller.ts';
import { findModule } from './find-module.ts';
import type { FunctionHost } from './function-host.ts';
import { functionNotFound } from './function-problems.ts';
import type { FunctionContext } from './messages.ts';

export type FunctionsServiceDeps = {
  folder: string;
  host: FunctionHost;
  /** Without a slash at the end. */
  paths: readonly string[];
  resolveCaller: ResolveCaller;
};

/** Calls functions (spec-map 7.4.1). Access is not checked here: a function gets the caller and decides itself. */
export function createFunctionsService({
  folder,
  host,
  paths,
  resolveCaller,
}: FunctionsServiceDeps): Hono {
  return new Hono().all('*', async (context) => {
    const functionContext = contextOf(await resolveCaller(context.req.raw.headers));
    const file = await findModule(folder, pathOf(context.req.path));
    if (file === undefined) throw functionNotFound();
    const { method, url, headers, signal } = context.req.raw;
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const body = hasBody ? await context.req.arrayBuffer() : null;
    const request = { method, url, headers: [...headers], body, context: functionContext };
    const response = await host.call(file, request, signal);
    if (method !== 'HEAD') return response;
    await response.body?.cancel();
    return new Response(null, response);
  });

  function pathOf(path: string): string {
    const mountPath =
      paths.find((prefix) => path === prefix || path.startsWith(`${prefix}/`)) ?? '';
    return path.slice(mountPath.length);
  }
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
