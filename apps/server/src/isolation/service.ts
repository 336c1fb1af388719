import type { IsolationStatus } from '@longshore/contract';
import { Hono } from 'hono';
import { type DeployPolicy, mayDeploy } from '../apps/deploy-permission.ts';
import type { Database } from '../db/database.ts';
import { Problem } from '../http/problem.ts';

export type IsolationServiceDeps = {
  db: Database;
  policy: DeployPolicy;
  session(request: Request): Promise<{ userId: string } | undefined>;
};

/** `GET /`: what isolation lacks on this machine, and whether the caller may deploy. */
export function createIsolationService({ db, policy, session }: IsolationServiceDeps): Hono {
  const service = new Hono();
  service.get('/', async (context) => {
    const caller = await session(context.req.raw);
    if (caller === undefined) {
      throw new Problem(401, 'unauthorized', 'Missing or invalid access token');
    }
    const isOperator = await policy.isOperator(db, caller.userId);
    const { trustEverybody } = policy;
    const isolation = await policy.isolation();
    return context.json(isolationStatus({ isolation, trustEverybody, isOperator }));
  });
  return service;
}

function isolationStatus({
  isolation,
  trustEverybody,
  isOperator,
}: Parameters<typeof mayDeploy>[0]): IsolationStatus {
  const mayOthers = mayDeploy({ isolation, trustEverybody, isOperator: false });
  const { missing, packages } =
    isolation.kind === 'isolated' ? { missing: [], packages: [] } : isolation;
  return {
    missing,
    whoMayDeploy: mayOthers ? 'everybody' : 'operators',
    mayDeploy: mayDeploy({ isolation, trustEverybody, isOperator }),
    isOperator,
    installCommand:
      isOperator && packages.length > 0 ? `apt-get install ${packages.join(' ')}` : null,
  };
}
