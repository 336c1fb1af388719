import { SERVICE_PATHS } from '@longshore/contract';
import type { Account } from './account/account.ts';
import { openAccount } from './account/create-account.ts';
import type { Auth } from './auth/auth.ts';
import type { ClientDeps } from './client-deps.ts';
import { type Commands, createCommands } from './commands/create-commands.ts';
import type { Connect } from './connect/connect.ts';
import { createConnect } from './connect/create-connect.ts';
import { createDeliveries, type Deliveries } from './deliveries/create-deliveries.ts';
import { createDomains, type Domains } from './domains/create-domains.ts';
import { createFiles } from './files/create-files.ts';
import type { Files } from './files/files.ts';
import { createFunctions, type Functions } from './functions/create-functions.ts';
import type { Graphql } from './graphql/graphql.ts';
import { createGraphqlRequest } from './graphql/graphql-request.ts';
import { createLiveQueries } from './graphql/live-queries.ts';
import type { CallDeps } from './http/call.ts';
import { authFetch, type Caller, fetchAs } from './http/caller-headers.ts';
import { retryReads } from './http/retry-reads.ts';
import { serviceUrls } from './http/service-urls.ts';
import { createIsolation, type IsolationService } from './isolation/create-isolation.ts';
import { createLogs } from './logs/create-logs.ts';
import type { Logs } from './logs/logs.ts';
import { createMetrics, type Metrics } from './metrics/create-metrics.ts';
import { createOperator, type OperatorService } from './operator/create-operator.ts';
import { createReleases, type Releases } from './releases/create-releases.ts';
import { createResources } from './resources/create-resources.ts';
import type { Resources } from './resources/resources.ts';
import { createUploads, type Uploads } from './uploads/create-uploads.ts';
import { createUsage, type UsageService } from './usage/create-usage.ts';

export type Services = {
  account: Account;
  graphql: Graphql;
  resources: Resources;
  releases: Releases;
  deliveries: Deliveries;
  metrics: Metrics;
  commands: Commands;
  logs: Logs;
  files: Files;
  functions: Functions;
  connect: Connect;
  /** Missing if the server does not check custom domains. */
  domains?: Domains;
  /** Missing if the server has no quotas. */
  usage?: UsageService;
  /** Missing if the server does not say whether it isolates apps. */
  isolation?: IsolationService;
  /** Missing if the server cannot be operated in the console. */
  operator?: OperatorService;
  /** Missing if source code cannot be uploaded to the server. */
  uploads?: Uploads;
};

export type ServicesDeps = ClientDeps & { auth: Auth };

/** The services that are called as the signed-in user. */
export function createServices(deps: ServicesDeps): Services & { stop(): void } {
  const { auth, clock, webSocket, addressBar, securityKeys, visibility } = deps;
  const {
    domainsUrl,
    usageUrl,
    isolationUrl,
    operatorUrl,
    appsUrl,
    connectUrl = SERVICE_PATHS.connect[0],
    log = () => undefined,
  } = deps;
  const caller = callerOf(deps);
  const urls = serviceUrls(deps);
  const reliableFetch = retryReads(deps.fetch, clock);
  const fetch = fetchAs(reliableFetch, caller);
  const request = createGraphqlRequest({ url: urls.graphql, clock, fetch, auth });
  const live = createLiveQueries({ url: urls.graphql, clock, log, webSocket, auth, caller });
  const graphql = { request, subscribe: live.subscribe, connection: live.connection };
  const account = openAccount({
    url: urls.auth,
    clock,
    fetch: authFetch(reliableFetch, caller),
    auth,
    addressBar,
    securityKeys,
  });
  const callDeps = (url: string): CallDeps => ({
    url,
    clock,
    fetch: reliableFetch,
    auth,
    ...caller,
  });
  return {
    account,
    graphql,
    resources: createResources({ graphql, auth, log }),
    releases: createReleases({ graphql, log }),
    deliveries: createDeliveries(graphql),
    metrics: createMetrics(graphql),
    commands: createCommands(graphql),
    logs: createLogs({ url: urls.logs, clock, fetch, auth, visibility }),
    files: createFiles(callDeps(urls.storage)),
    functions: createFunctions(callDeps(urls.functions)),
    connect: createConnect(callDeps(connectUrl)),
    ...(domainsUrl === undefined ? {} : { domains: createDomains(callDeps(domainsUrl)) }),
    ...(usageUrl === undefined ? {} : { usage: createUsage(callDeps(usageUrl)) }),
    ...(isolationUrl === undefined ? {} : { isolation: createIsolation(callDeps(isolationUrl)) }),
    ...(operatorUrl === undefined ? {} : { operator: createOperator(callDeps(operatorUrl)) }),
    ...(appsUrl === undefined ? {} : { uploads: createUploads(callDeps(appsUrl)) }),
    stop() {
      account.stop();
      live.stop();
    },
  };
}

function callerOf({ adminSecret, role }: Caller): Caller {
  return {
    ...(adminSecret === undefined ? {} : { adminSecret }),
    ...(role === undefined ? {} : { role }),
  };
}
