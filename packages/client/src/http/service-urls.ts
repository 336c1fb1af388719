import { LOCAL_BACKEND_PORT, SERVICE_PATHS } from '@longshore/contract';

const SERVICES = ['auth', 'graphql', 'storage', 'functions', 'logs'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** A hosted backend by subdomain and region, or the URL of each service (spec-map 5.1.9). */
export type BackendSetup = {
  subdomain?: string;
  region?: string;
  /** The domain of hosted backends. */
  domain?: string;
} & { [Service in ServiceName as `${Service}Url`]?: string };

const LOCAL = /^(?:https?:\/\/)?local(?:host)?(?::(\d+))?$/;
const HOSTED_DOMAIN = 'nhost.run';

/** The URL of every service. Throws the errors of spec-map 5.1.10 if the setup is incomplete. */
export function serviceUrls(setup: BackendSetup): Record<ServiceName, string> {
  const urls = SERVICES.map((service) => [service, serviceUrl(service, setup)]);
  return Object.fromEntries(urls);
}

/** The URL of one service, without a trailing slash. */
export function serviceUrl(service: ServiceName, setup: BackendSetup): string {
  const explicitUrl = setup[`${service}Url`];
  if (explicitUrl) return explicitUrl.replace(/\/+$/, '');
  const { subdomain, region, domain = HOSTED_DOMAIN } = setup;
  if (subdomain === undefined) throw new Error(`Please provide subdomain or ${service}Url`);
  if (subdomain === '') throw new Error('A subdomain must be set.');
  const local = LOCAL.exec(subdomain);
  if (local !== null) {
    return `http://localhost:${local[1] ?? LOCAL_BACKEND_PORT}${SERVICE_PATHS[service][0]}`;
  }
  if (!region) throw new Error('region must be set when using a subdomain other than local');
  return `https://${subdomain}.${service}.${region}.${domain}/v1`;
}
