import { join } from 'node:path';
import { redeploy } from '../apps/redeploy.ts';
import type { Auth } from '../auth/create-auth.ts';
import { type Connect, createConnect } from '../connect/create-connect.ts';
import { startDaily } from '../daily.ts';
import { createGuardedFetch } from '../outbound/guarded-fetch.ts';
import { resolveHost } from '../outbound/resolve-host.ts';
import type { Ground } from './ground.ts';
import type { Wiring } from './wiring.ts';

/** The integrations service: accounts elsewhere, and what apps take from there. */
export async function createConnecting(
  { config, clock, started, logError }: Wiring,
  { db, home }: Ground,
  auth: Auth,
): Promise<Connect> {
  const { gitHosts, dockerHubUrl, providers, allowLocalSources } = config;
  const connect = await createConnect({
    db,
    clock,
    logError,
    keysFolder: join(config.dataDir, 'keys'),
    session: auth.sessionOf,
    audit: auth.audit,
    settings: { ...config, oauthClients: providers },
    fetch: createGuardedFetch({
      allowLocal: allowLocalSources,
      trusted: [...Object.values(gitHosts), dockerHubUrl].map((url) => new URL(url).origin),
      resolve: resolveHost,
    }),
    guard: { allowLocalSources, resolve: resolveHost, dataDir: home },
    redeploy,
  });
  started.add(startDaily(connect.tidy, { clock, logError }).stop);
  return connect;
}
