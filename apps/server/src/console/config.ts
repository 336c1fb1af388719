import { type ConsoleConfig, offeredTiers, SERVICE_PATHS } from '@longshore/contract';
import type { Config } from '../config.ts';
import type { Engine } from '../engines/engine.ts';

/** The settings of this installation that the console needs. The services are paths on the console's origin. */
export function consoleConfig(
  config: Config,
  engine: Pick<Engine, 'kind' | 'hasProjectNetwork'>,
): ConsoleConfig {
  const { auth, graphql, storage, functions, connect, logs, domains } = SERVICE_PATHS;
  const { usage, isolation, operator, apps } = SERVICE_PATHS;
  return {
    services: {
      auth: auth[0],
      graphql: graphql[0],
      storage: storage[0],
      functions: functions[0],
      connect: connect[0],
      logs: logs[0],
      domains: domains[0],
      usage: usage[0],
      isolation: isolation[0],
      operator: operator[0],
      apps: apps[0],
    },
    docsUrl: config.docsUrl,
    ingress: {
      scheme: 'http',
      port: config.ingressPort,
      baseDomain: config.baseDomain,
      publicIp: config.publicIp,
      ...(config.httpsPort !== undefined && { httpsPort: config.httpsPort }),
    },
    engine: engine.kind,
    hasProjectNetwork: engine.hasProjectNetwork,
    allowLocalSources: config.allowLocalSources,
    tiers: offeredTiers(config.tiers),
    providers: { github: false, gitlab: false },
    integrations: {
      github: { oauth: config.providers.github !== undefined, url: config.gitHosts.github },
      gitlab: { oauth: config.providers.gitlab !== undefined, url: config.gitHosts.gitlab },
    },
  };
}
