import { join } from 'node:path';
import { createAppSecrets } from '../apps/app-secrets.ts';
import { createApps } from '../apps/apps.ts';
import type { AppRules } from '../apps/check-app-values.ts';
import type { DeployPolicy } from '../apps/deploy-permission.ts';
import { isOperator } from '../auth/first-account/accounts.ts';
import { createDatabaseRecords } from '../engines/database-records.ts';
import { createDiskRecords } from '../engines/disk-records.ts';
import { createLogFiles } from '../logs/log-files.ts';
import { createLogStore } from '../logs/log-store.ts';
import { createLogTables } from '../logs/log-tables.ts';
import { createLogsService } from '../logs/service.ts';
import type { DataDirectory } from './data-directory.ts';
import type { DataServices } from './data-services.ts';
import type { ServerContext } from './server-context.ts';

export type AppServices = ReturnType<typeof createAppServices>;

/** What every server knows of apps, whether or not it runs them. */
export function createAppServices(
  { config, clock, shutdown, log, logError }: ServerContext,
  { dataDir, db, changes, variables }: DataDirectory,
  {
    auth,
    quotas,
    isolation,
  }: Pick<DataServices, 'auth' | 'quotas'> & Pick<DeployPolicy, 'isolation'>,
) {
  const apps = createApps(db);
  const secrets = createAppSecrets({ db, variables });
  const isShared = config.state === 'shared';
  const engineRecords = isShared ? createDatabaseRecords(db) : createDiskRecords(dataDir);
  const logs = createLogStore({
    storage: isShared
      ? createLogTables(db, logError)
      : createLogFiles(join(config.dataDir, 'logs')),
    listen: changes.listen,
    clock,
    secretsOf: secrets.ofApp,
    report: logError,
  });
  shutdown.add(logs.close);
  const logsService = createLogsService({
    store: logs,
    clock,
    session: auth.sessionOf,
    ownsApp: apps.isOwned,
    logCut: (error, appId) => log.warn({ err: error, appId }, 'log stream cut'),
  });
  const deployPolicy: DeployPolicy = {
    isolation,
    trustEverybody: config.trustEverybody,
    isOperator,
  };
  const rules: AppRules = {
    allowLocalSources: config.allowLocalSources,
    tiers: config.tiers,
    baseDomain: config.baseDomain,
    publicUrl: config.publicUrl,
    variables,
    deployPolicy,
    quotas,
  };
  return { apps, secrets, engineRecords, logs, logsService, deployPolicy, rules };
}
