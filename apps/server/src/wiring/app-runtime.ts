import { randomBytes } from 'node:crypto';
import { publicUrlOf } from '@longshore/contract';
import { monotonicClock } from '@longshore/edge-contract';
import { accountUsage, createOwnerLimits, usageForOperator } from '../apps/account-usage.ts';
import { createCommandStore } from '../apps/commands.ts';
import { deployRefusal } from '../apps/deploy-permission.ts';
import { createReconcilerStore } from '../apps/reconciler-store.ts';
import { resolveRelease } from '../apps/references.ts';
import { createSleep, type Sleep, type WakeResult } from '../apps/sleep.ts';
import { createTraffic } from '../apps/traffic.ts';
import { createUsageRows } from '../apps/usage-rows.ts';
import { hasSeveralUsers } from '../auth/first-account/accounts.ts';
import { consoleConfig } from '../console/config.ts';
import { checkDomain } from '../domains/check-domain.ts';
import { createDnsClient } from '../domains/dns-client.ts';
import { startDomainScheduler } from '../domains/domain-scheduler.ts';
import { createDomainStore } from '../domains/domain-store.ts';
import { createDomainsService } from '../domains/service.ts';
import type { Edge } from '../edge/edge.ts';
import { createEdgeRoutes } from '../edge/edge-routes.ts';
import { openEdge } from '../edge/open-edge.ts';
import { recordTraffic } from '../edge/record-traffic.ts';
import { withMaskedErrors } from '../engines/masked-errors.ts';
import { openEngine } from '../engines/open-engine.ts';
import { outputLimiterCommand } from '../engines/process/output-limiter.ts';
import type { SourceCredentials } from '../engines/source-credentials.ts';
import { recordUsedSecrets } from '../engines/source-credentials.ts';
import { withResolvedVariables } from '../engines/with-resolved-variables.ts';
import { createAppTotals } from '../metrics/app-totals.ts';
import { startUsageSampler } from '../metrics/usage-sampler.ts';
import { startExitWatchdog } from '../processes/exit-watchdog.ts';
import { createCommandRunner } from '../reconciler/command-runner.ts';
import { probe } from '../reconciler/health/probe.ts';
import { createReconciler } from '../reconciler/reconciler.ts';
import { describeIsolation } from '../sandbox/isolation.ts';
import { startDailyJob } from '../schedule/daily-job.ts';
import { openUploads } from '../uploads/open-uploads.ts';
import { sampleArchive } from '../uploads/sample-app.ts';
import { createUploadsService } from '../uploads/service.ts';
import { createUsageService } from '../usage/service.ts';
import type { AppServices } from './app-services.ts';
import { openCertificates } from './certificates.ts';
import type { DataDirectory } from './data-directory.ts';
import type { DataServices } from './data-services.ts';
import { createEngineFactories } from './engine-factories.ts';
import type { ServerContext } from './server-context.ts';

/** Read for the cause of a crash, which a stack trace may follow. */
const CRASH_LINES = 40;
/** After this time, the edge drops the routes of apps that are not in the database. */
const FIRST_ROUTES_MS = 60_000;

export type RuntimeParts = Pick<DataServices, 'auth' | 'quotas'> & {
  credentials: SourceCredentials;
  appServices: AppServices;
};

export type AppRuntime = Awaited<ReturnType<typeof startAppRuntime>>;

/**
 * Starts everything that runs apps: engine, edge, reconciler, and the services that ask them. Of several servers on one database,
 * only the leader does.
 */
export async function startAppRuntime(
  context: ServerContext,
  { dataDir, db, changes, installation, variables, keys }: DataDirectory,
  { auth, quotas, credentials, appServices }: RuntimeParts,
) {
  const { config, clock, dailyJobs, isRoot, shutdown, log, logError, signal, step } = context;
  const { apps, secrets, logs, rules } = appServices;
  await logs.resume();
  const engineNotes: string[] = [];
  const logInfo = (line: string) => {
    log.info(line);
    engineNotes.push(line);
  };
  const uploads = await openUploads({ config, dataDir, installation, db, clock, signal });
  const factories = createEngineFactories(config, {
    downloadUpload: uploads.download,
    dataDir,
    isRoot,
    installation,
    records: appServices.engineRecords,
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
  const deployPolicy = { ...appServices.deployPolicy, isolation };
  describeIsolation(await isolation(), config.trustEverybody).forEach(logInfo);
  const { ingress } = consoleConfig(config, unmaskedEngine);
  const references = {
    db,
    variables,
    baseDomain: config.baseDomain,
    urlOf: (host: string) =>
      publicUrlOf(ingress, host, certificates.statusOf(host).state === 'valid'),
  };
  // Resolved first: the values are stored before the first line that could contain one is masked.
  const engine = withResolvedVariables(withMaskedErrors(unmaskedEngine, logs), (spec) =>
    resolveRelease(spec, references),
  );
  // Optional: without it, the output of apps is not limited while the server is not running.
  if (engine.kind === 'process')
    await startExitWatchdog(outputLimiterCommand(dataDir)).catch(logError);
  const edge = await openEdge({
    config,
    dataDir,
    isRoot,
    signal,
    log: (level, text) => log[level](text),
  });
  shutdown.add(edge.stop);
  connectSleep(edge, createSleep({ db, quotas }), context);
  const routes = createEdgeRoutes(edge, monotonicClock);
  const traffic = createTraffic(db, clock);
  const usageRows = createUsageRows(db, clock);
  const totals = createAppTotals();
  const recording = recordTraffic({
    edge,
    apps,
    logs,
    traffic: { add: async (batch) => totals.addRequests(await traffic.add(batch)) },
    clock,
    logError,
  });
  shutdown.add(recording.stop);
  const removeOldMetrics = async () => {
    await traffic.removeOld();
    await usageRows.removeOld();
  };
  const usage = { db, quotas, tiers: config.tiers, apps, engine, uploads };
  const ownerLimits = createOwnerLimits(usage);
  const store = createReconcilerStore({ db, variables });
  const reconciler = createReconciler({
    store,
    engine,
    routes,
    listen: changes.listen,
    probe,
    lastLines: (appId, { logName }) => logs.lastLines(appId, logName, CRASH_LINES),
    async deleteStored(appId) {
      recording.forget(appId);
      await Promise.all([
        logs.remove(appId),
        traffic.remove(appId),
        usageRows.remove(appId),
        uploads.remove(appId),
      ]);
    },
    baseDomain: config.baseDomain,
    refusalOf: (ownerId) => deployRefusal(db, ownerId, deployPolicy),
    maxBuilds: config.builds.max,
    ownerLimits,
    tiers: config.tiers,
    clock: monotonicClock,
    logError: (error, appId) => log.error({ err: error, appId }, 'reconcile pass failed'),
  });
  shutdown.add(reconciler.stop);
  const commands = createCommandStore(db);
  const commandRunner = createCommandRunner({
    commands,
    store,
    engine,
    mask(appId) {
      logs.invalidateMasks(appId);
      return logs.mask(appId);
    },
    tiers: config.tiers,
    baseDomain: config.baseDomain,
    listen: changes.listen,
    logError,
  });
  shutdown.add(commandRunner.stop);
  for (const job of [...dailyJobs, removeOldMetrics, commands.removeOld, uploads.removeOrphans])
    shutdown.add(startDailyJob(job, { clock, logError }).stop);
  const lookUp = createDnsClient({ servers: config.dnsServers });
  const certificates = await openCertificates(
    context,
    { db, changes, keys },
    { apps, edge, lookUp },
  );
  const domainChecks = {
    store: createDomainStore({
      db,
      newToken: () => `longshore-${randomBytes(16).toString('hex')}`,
      hasSeveralAccounts: hasSeveralUsers,
    }),
    lookUp,
    rules: {
      baseDomain: config.baseDomain,
      publicUrl: config.publicUrl,
      publicIp: config.publicIp,
    },
    clock,
    random: Math.random,
    requestPass(appId: string) {
      reconciler.requestPass(appId);
      // The domain was proved, or is not any more.
      certificates.request();
    },
  };
  const domainsService = createDomainsService({
    ...domainChecks,
    apps,
    certificates,
    session: auth.sessionOf,
    hasSeveralAccounts: () => hasSeveralUsers(db),
  });
  const usageService = createUsageService({
    session: auth.sessionOf,
    usageOf: (userId, requestSignal) =>
      accountUsage(userId, reconciler.buildsOf(userId), usage, requestSignal),
  });
  const uploadsService = createUploadsService({
    db,
    apps,
    rules,
    store: uploads,
    sample: sampleArchive,
    session: auth.tokenSessionOf,
    diskProblemOf: ownerLimits.diskProblemOf,
    clock,
  });
  const operated = {
    certificateWarnings: certificates.warnings,
    usageOf: (userId: string, requestSignal: AbortSignal) =>
      usageForOperator(userId, reconciler.buildsOf(userId), usage, requestSignal),
    async quotasChanged(userId: string) {
      for (const appId of await apps.idsOnEngine(userId)) reconciler.requestPass(appId);
    },
  };
  const engineSummary = { kind: engine.kind, reason, notes: engineNotes };
  async function stopChanges(): Promise<void> {
    await Promise.all([reconciler.stop(), commandRunner.stop()]);
  }
  return {
    engine,
    engineSummary,
    isolation,
    reconciler,
    /** Makes apps reachable, keeps those reachable that are, and checks their domains. */
    async serveApps() {
      await reconciler.addPendingRoutes();
      signal.throwIfAborted();
      await step('Start edge', edge.start);
      void routes.allSet(FIRST_ROUTES_MS).then(edge.complete);
      signal.throwIfAborted();
      await reconciler.start();
      signal.throwIfAborted();
      await commandRunner.start();
      const onSample = totals.addUsage;
      const sampler = startUsageSampler({ engine, rows: usageRows, onSample, clock, logError });
      shutdown.add(sampler.stop);
      const scheduler = startDomainScheduler({
        store: domainChecks.store,
        check: (domain, stopped) => checkDomain({ domain }, domainChecks, stopped),
        listen: changes.listen,
        clock,
        logError,
      });
      shutdown.add(scheduler.stop);
      certificates.start();
      // Before all other parts, and together: neither waits for the other.
      shutdown.add(stopChanges);
    },
    /** Changes nothing any more, at once. What has been started is still to be stopped. */
    async abandon() {
      await Promise.all([stopChanges(), edge.stop()]);
    },
    edge,
    edgeHealth: edge.health,
    certificateOf: certificates.statusOf,
    domainsService,
    usageService,
    uploadsService,
    metered: { listApps: apps.listNames, totals },
    operated,
  };
}

/** Hibernates idle apps, and wakes those that get a request. */
function connectSleep(edge: Edge, sleep: Sleep, { log }: ServerContext): void {
  const logFailure = (appId: string) => (error: unknown) =>
    log.error({ err: error, appId }, 'hibernating or waking failed');
  edge.on('idle', ({ appId }) => void sleep.hibernate(appId).catch(logFailure(appId)));
  edge.on('wake', ({ appId }) => {
    const refuse = (result: WakeResult) => result === 'refused' && edge.refuseWake(appId);
    void sleep.wake(appId).then(refuse, logFailure(appId));
  });
}
