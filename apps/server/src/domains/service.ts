import { isRecord } from '@longshore/contract';
import { Hono } from 'hono';
import { Problem } from '../http/problem.ts';
import { type CheckDomainDeps, checkDomain } from './check-domain.ts';

export type DomainsServiceDeps = CheckDomainDeps & {
  session(request: Request): Promise<{ userId: string } | undefined>;
  /** False for apps of other users, for unknown and for deleted apps. */
  ownsApp(userId: string, projectId: string, appId: string): Promise<boolean>;
};

/** `POST /` with `{projectId, appId}`: checks whether the DNS records of the app's custom domain point to this server. */
export function createDomainsService(deps: DomainsServiceDeps): Hono {
  const service = new Hono();
  service.post('/', async (context) => {
    const caller = await deps.session(context.req.raw);
    if (caller === undefined) {
      throw new Problem(401, 'unauthorized', 'Missing or invalid access token');
    }
    const { projectId, appId } = parseApp(await context.req.json().catch(() => undefined));
    if (!(await deps.ownsApp(caller.userId, projectId, appId))) {
      throw new Problem(404, 'not-found', 'App not found');
    }
    const domain = await deps.claims.domainOf(appId);
    if (domain === undefined) throw new Problem(400, 'no-domain', 'The app has no custom domain');
    return context.json(await checkDomain({ domain, appId }, deps, context.req.raw.signal));
  });
  return service;
}

function parseApp(body: unknown): { projectId: string; appId: string } {
  const { projectId, appId } = isRecord(body) ? body : {};
  if (typeof projectId === 'string' && typeof appId === 'string') return { projectId, appId };
  throw new Problem(400, 'invalid-request', 'projectId and appId are required');
}
