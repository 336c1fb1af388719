import { join } from 'node:path';
import { accountUsage, createOwnerLimits } from '../apps/account-usage.ts';
import { createAppSecrets } from '../apps/app-secrets.ts';
import { createApps } from '../apps/apps.ts';
import { deployRefusal } from '../apps/deploy-permission.ts';
import { createReconcilerStore } from '../apps/reconciler-store.ts';
import { createSleep, type Sleep } from '../apps/sleep.ts';
import { isFirstAccount } from '../auth/first-account/accounts.ts';
import { createAddressLookup } from '../domains/address-lookup.ts';
import { createDomainClaims } from '../domains/domain-claims.ts';
import { createDomainsService } from '../domains/service.ts';
import { withMaskedErrors } from '../engines/masked-errors.ts';
import { openEngine } from '../engines/open-engine.ts';
import { outputLimiterCommand } from '../engines/process/output-limiter.ts';
import type { SourceCredentials } from '../engines/source-credentials.ts';
import { recordUsedSecrets } from '../engines/source-credentials.ts';
import { createIngress } from '../ingress/ingress.ts';
import { listenProblem } from '../lifecycle/start-problem.ts';
import { createLogStore } from '../logs/log-store.ts';
import { createLogsService } from '../logs/service.ts';
import { startExitWatchdog } from '../processes/exit-watchdog.ts';
import { createReconciler } from '../reconciler/reconciler.ts';
import { describeIsolation } from '../sandbox/isolation.ts';
import { monotonicClock } from '../schedule/clock.ts';
import { createUsageService } from '../usage/service.ts';
import type { DataDirectory } from './data-directory.ts';
import type { createDataServices } from './data-services.ts';
import { createEngineFactories } from './engine-factories.ts';
import type { ServerContext } from './server-context.ts';

type DataServices = Awaited<ReturnType<typeof createDataServices>>;

const EVIDENCE_LINES = 10;

/** Starts everything that runs apps: logs, engine, ingress, reconciler, and the logs and domains services. */
export async function startAppRuntime(
  context: ServerContext,
  { dataDir, db, changes, installation }: DataDirectory,
  {
    auth,
    quotas,
    credentials,
  }: Pick<DataServices, 'auth' | 'quotas'> & { credentials: SourceCredentials },
) {
  const { config, clock, isRoot, shutdown, log, logError, signal, step } = context;
  const apps = createApps(db);
  const secrets = createAppSecrets(db);
  const logs = createLogStore({
    folder: join(config.dataDir, 'logs'),
    clock,
    secretsOf: secrets.ofApp,
    report: logError,
  });
  shutdown.add(logs.close);

  const engineNotes: string[] = [];
  const logInfo = (line: string) => {
    log.info(line);
    engineNotes.push(line);
  };
  const factories = createEngineFactories(config, {
    dataDir,
    isRoot,
    installation,
    clock,
    logs,
    logInfo,
    logError,
    credentials: recordUsedSecrets(credentials, (ownerId, used) => {
      if (secrets.recordUsed(ownerId, used)) logs.invalidateMasks();
    }),
  });
  const { engine: unmaskedEngine, reason } = await step('Start engine', () =>
    openEngine(factories, signal),
  );
  shutdown.add(unmaskedEngine.close);
  const { isolation } = unmaskedEngine;
  const deployPolicy = { isolation, trustEverybody: config.trustEverybody, isFirstAccount };
  if (unmaskedEngine.kind === 'process') {
    describeIsolation(isolation, config.trustEverybody).forEach(logInfo);
  }
  const engine = withMaskedErrors(unmaskedEngine, logs);
  // Optional: without it, the output of apps is not limited while the server is not running.
  if (engine.kind === 'process')
    await startExitWatchdog(outputLimiterCommand(dataDir)).catch(logError);
  const ingress = openIngress(context, createSleep({ db, quotas }));
  const usage = { db, quotas, apps, usedBytes: engine.usedBytes };
  const reconciler = createReconciler({
    store: createReconcilerStore(db),
    engine,
    routes: {
      set: ingress.routes.set,
      remove: ingress.routes.remove,
      drained: ingress.drained,
    },
    listen: changes.listen,
    lastLines: (appId, { logName }) => logs.lastLines(appId, logName, EVIDENCE_LINES),
    deleteLogs: logs.remove,
    baseDomain: config.baseDomain,
    refusalOf: (ownerId) => deployRefusal(db, ownerId, deployPolicy),
    maxBuilds: config.maxBuilds,
    ownerLimits: createOwnerLimits(usage),
    clock: monotonicClock,
    logError: (error, appId) => log.error({ err: error, appId }, 'reconcile pass failed'),
  });
  shutdown.add(reconciler.stop);
  await reconciler.addPendingRoutes();
  await ingress.listen().catch((error) => {
    throw listenProblem(error, 'LONGSHORE_INGRESS_PORT', config.ingressPort);
  });

  const logsService = createLogsService({
    store: logs,
    clock,
    session: auth.sessionOf,
    ownsApp: apps.isOwned,
    logCut: (error, appId) => log.warn({ err: error, appId }, 'log stream cut'),
  });
  const domainsService = createDomainsService({
    claims: createDomainClaims({ db, apps }),
    lookup: createAddressLookup(),
    publicIp: config.publicIp,
    requestPass: reconciler.requestPass,
    session: auth.sessionOf,
    ownsApp: apps.isOwned,
  });
  const usageService = createUsageService({
    session: auth.sessionOf,
    usageOf: (userId, requestSignal) =>
      accountUsage(userId, reconciler.buildsOf(userId), usage, requestSignal),
  });
  const engineSummary = { kind: engine.kind, reason, notes: engineNotes };
  return {
    engine,
    engineSummary,
    deployPolicy,
    reconciler,
    logsService,
    domainsService,
    usageService,
  };
}

function openIngress({ config, shutdown, log }: ServerContext, sleep: Sleep) {
  const ingress = createIngress({
    host: config.host,
    port: config.ingressPort,
    trustedProxies: config.trustedProxies,
    clock: monotonicClock,
    wake: sleep.wake,
    hibernate: sleep.hibernate,
    logError: (error, appId) => log.error({ err: error, appId }, 'hibernating or waking failed'),
  });
  shutdown.add(() => ingress.stop());
  return ingress;
}
