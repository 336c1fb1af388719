import type { AppRules } from '../apps/check-app-values.ts';
import { redeploy, redeployByHook } from '../apps/redeploy.ts';
import type { Auth } from '../auth/create-auth.ts';
import { createKeyedMutex } from '../concurrency/keyed-semaphore.ts';
import { type Connect, createConnect } from '../connect/create-connect.ts';
import { createDatabaseMutex } from '../db/database-mutex.ts';
import { createGuardedFetch } from '../outbound/guarded-fetch.ts';
import { resolveHost } from '../outbound/resolve-host.ts';
import { openBucketsFor } from '../rate-limits/open-buckets.ts';
import type { DataDirectory } from './data-directory.ts';
import type { ServerContext } from './server-context.ts';

/** The integrations service: accounts at code hosts and registries, and webhooks. */
export async function createIntegrationsService(
  { config, clock, dailyJobs, logError }: ServerContext,
  { db, pool, dataDir, keys }: DataDirectory,
  { auth, rules }: { auth: Auth; rules: AppRules },
): Promise<Connect> {
  const { publicUrl, rateLimits, gitHosts, dockerHubUrl, allowLocalSources } = config;
  const connect = await createConnect({
    db,
    clock,
    logError,
    keys,
    openBuckets: openBucketsFor({ config, db, clock, logError }),
    locks:
      config.state === 'shared'
        ? createDatabaseMutex({ pool, scope: 'connect' })
        : createKeyedMutex(),
    session: auth.sessionOf,
    audit: auth.audit,
    settings: {
      publicUrl,
      rateLimits,
      allowLocalSources,
      gitHosts,
      dockerHubUrl,
      oauthClients: config.providers,
    },
    fetch: createGuardedFetch({
      allowLocal: allowLocalSources,
      trusted: [...Object.values(gitHosts), dockerHubUrl].map((url) => new URL(url).origin),
      resolve: resolveHost,
    }),
    sourcePolicy: { allowLocalSources, resolve: resolveHost, dataDir },
    redeploy,
    redeployByHook: (tx, appId) => redeployByHook(tx, appId, rules),
  });
  dailyJobs.push(connect.tidy);
  return connect;
}
