import type { Hono } from 'hono';
import { createSmtpMailer } from '../mail/smtp-mailer.ts';
import { processUsage } from '../metrics/process-usage.ts';
import { createMetricsService } from '../metrics/service.ts';
import { systemHealth } from '../operator/health.ts';
import { createOperatorService } from '../operator/service.ts';
import type { AppRuntime } from './app-runtime.ts';
import type { DataDirectory } from './data-directory.ts';
import type { DataServices } from './data-services.ts';
import { engineVersion } from './engine-factories.ts';
import type { ServerContext } from './server-context.ts';

/** The services that ask what runs apps. `metrics`: undefined if there are none. */
export type LeaderServices = {
  domains: Hono;
  usage: Hono;
  apps: Hono;
  operator: Hono;
  metrics: Hono | undefined;
};

export function createLeaderServices(
  { config, clock, version, logError }: ServerContext,
  { db, dataDir }: DataDirectory,
  { auth, runtime }: Pick<DataServices, 'auth'> & { runtime: AppRuntime },
): LeaderServices {
  const { engine, reconciler, isolation } = runtime;
  const health = {
    db,
    dataDir,
    isDatabaseEmbedded: config.databaseUrl === undefined,
    version,
    startedAt: new Date(clock.now()),
    engine: {
      kind: engine.kind,
      version: (signal: AbortSignal) => engineVersion(config, engine.kind, signal),
    },
    edge: () => runtime.edgeHealth() ?? null,
    isolation,
    load: reconciler.load,
  };
  const metrics =
    config.metricsToken &&
    createMetricsService({
      ...runtime.metered,
      token: config.metricsToken,
      system: () => ({
        version,
        engine: engine.kind,
        startedAt: health.startedAt,
        isEdgeConnected: runtime.edgeHealth() !== undefined,
        ...reconciler.load(),
        ...processUsage(),
      }),
    });
  const operator = createOperatorService({
    ...runtime.operated,
    db,
    currentUser: auth.currentUser,
    provedUser: auth.provedUser,
    forgetSessions: auth.forgetSessions,
    signUpSettings: auth.signUpSettings,
    audit: auth.audit,
    publicUrl: config.publicUrl,
    mailer: config.smtpUrl && createSmtpMailer({ url: config.smtpUrl, from: config.mailFrom }),
    logError,
    health: (signal) => systemHealth(health, signal),
  });
  return {
    domains: runtime.domainsService,
    usage: runtime.usageService,
    apps: runtime.uploadsService,
    operator,
    metrics,
  };
}
