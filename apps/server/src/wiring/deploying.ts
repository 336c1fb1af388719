import { join } from 'node:path';
import { createAppSecrets } from '../apps/app-secrets.ts';
import { createApps } from '../apps/apps.ts';
import { createReconcilerStore } from '../apps/reconciler-store.ts';
import { createSleep } from '../apps/sleep.ts';
import { isFirstAccount } from '../auth/first-account/is-first-account.ts';
import { steadyClock } from '../clock.ts';
import { createClaims } from '../domains/claims.ts';
import { createLookup } from '../domains/lookup.ts';
import { createDomainsService } from '../domains/service.ts';
import { withMaskedErrors } from '../engines/masked-errors.ts';
import { openEngine } from '../engines/open-engine.ts';
import { outputLimiterCommand } from '../engines/process/output-limiter.ts';
import type { SourceCredentials } from '../engines/source-credentials.ts';
import { recordUsedSecrets } from '../engines/source-credentials.ts';
import { createIngress } from '../ingress/ingress.ts';
import { createLogStore } from '../logs/log-store.ts';
import { createLogsService } from '../logs/service.ts';
import { startExitWatchdog } from '../processes/exit-watchdog.ts';
import { createReconciler } from '../reconciler/reconciler.ts';
import { listenProblem } from '../start-problem.ts';
import type { createDataServices } from './data-services.ts';
import { createEngineFactories } from './engine-factories.ts';
import type { Ground } from './ground.ts';
import type { Wiring } from './wiring.ts';

type DataServices = Awaited<ReturnType<typeof createDataServices>>;

const MAX_BUILDS = 2;
const EVIDENCE_LINES = 10;

/** What makes wishes true: logs, engine, ingress and reconciler, and the services that tell of them. */
export async function createDeploying(
  wiring: Wiring,
  { home, db, changes, installation }: Ground,
  { auth, credentials }: Pick<DataServices, 'auth'> & { credentials: SourceCredentials },
) {
  const { config, clock, isRoot, started, log, logError, signal } = wiring;
  const apps = createApps(db);
  const secrets = createAppSecrets(db);
  const logs = createLogStore({
    folder: join(config.dataDir, 'logs'),
    clock,
    secretsOf: secrets.ofApp,
    report: logError,
  });
  started.add(logs.close);

  const opened = await openEngine(
    createEngineFactories(config, {
      dataDir: home,
      isRoot,
      installation,
      clock,
      logs,
      logInfo: (line) => log.info(line),
      logError,
      mayRun: (userId) => isFirstAccount(db, userId),
      credentials: recordUsedSecrets(credentials, (ownerId, lent) => {
        if (secrets.recordUsed(ownerId, lent)) logs.invalidateMasks();
      }),
    }),
    signal,
  );
  started.add(opened.close);
  const engine = withMaskedErrors(opened, logs);
  // Apps run without it as well; only their output is not bounded then while no server runs.
  if (engine.kind === 'process')
    await startExitWatchdog(outputLimiterCommand(home)).catch(logError);
  const ingress = openIngress(wiring, createSleep(db));
  const reconciler = createReconciler({
    store: createReconcilerStore(db),
    engine,
    routes: { ...ingress.routes, drained: ingress.drained },
    listen: changes.listen,
    lastLines: (appId, { logName }) => logs.lastLines(appId, logName, EVIDENCE_LINES),
    deleteLogs: logs.remove,
    baseDomain: config.baseDomain,
    maxBuilds: MAX_BUILDS,
    clock: steadyClock,
    logError: (error, appId) => log.error({ err: error, appId }, 'a pass failed'),
  });
  started.add(reconciler.stop);
  await reconciler.addPendingRoutes();
  await ingress.listen().catch((error) => {
    throw listenProblem(error, 'LONGSHORE_INGRESS_PORT', config.ingressPort);
  });

  const whose = { session: auth.sessionOf, ownApp: apps.isOwned };
  const logsService = createLogsService({ store: logs, clock, ...whose });
  const domainsService = createDomainsService({
    claims: createClaims({ db, apps }),
    lookup: createLookup(),
    publicIp: config.publicIp,
    requestPass: reconciler.requestPass,
    ...whose,
  });
  return { engine, reconciler, logsService, domainsService };
}

function openIngress({ config, started, log }: Wiring, sleep: ReturnType<typeof createSleep>) {
  const ingress = createIngress({
    host: config.host,
    port: config.ingressPort,
    trustedProxies: config.trustedProxies,
    clock: steadyClock,
    wake: sleep.wake,
    sleep: sleep.hibernate,
    logError: (error, appId) => log.error({ err: error, appId }, 'sleeping or waking failed'),
  });
  started.add(() => ingress.stop());
  return ingress;
}
