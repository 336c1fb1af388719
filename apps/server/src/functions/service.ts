import { type Context, Hono } from 'hono';
import { type Credentials, whoAsks } from '../http/asking.ts';
import { Problem } from '../http/problem.ts';
import { findModule } from './find-module.ts';
import type { FunctionHost } from './function-host.ts';
import { functionNotFound } from './function-problem.ts';
import type { FunctionContext } from './messages.ts';

export type FunctionsServiceDeps = {
  folder: string;
  host: FunctionHost;
  /** Without a slash at the end. */
  paths: readonly string[];
  credentials(authorization: string | undefined): Promise<Credentials>;
};

/** A call to a function: whoever may call decides the function itself. Wire protocol §7. */
export function createFunctionsService({
  folder,
  host,
  paths,
  credentials,
}: FunctionsServiceDeps): Hono {
  return new Hono().all('*', async (context) => {
    const functionContext = await contextOf(context);
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
    const mounted = paths.find((mount) => path === mount || path.startsWith(`${mount}/`)) ?? '';
    return path.slice(mounted.length);
  }

  async function contextOf(context: Context): Promise<FunctionContext> {
    const known = await credentials(context.req.header('authorization'));
    const asking = whoAsks(known, context.req.header('x-hasura-role'));
    if (asking.kind === 'nobody') return { userId: undefined, role: 'public', roles: ['public'] };
    if (asking.kind === 'user') {
      return { userId: asking.userId, role: asking.role, roles: asking.roles };
    }
    throw asking.why === 'token'
      ? new Problem(401, 'unauthorized', 'Missing or invalid access token')
      : new Problem(403, 'role-not-allowed', 'Role not allowed');
  }
}
