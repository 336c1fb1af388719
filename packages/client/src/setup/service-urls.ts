import { LOCAL_BACKEND_PORT, SERVICE_PATHS } from '@longshore/contract';

const SERVICES = ['auth', 'graphql', 'storage', 'functions', 'logs'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** A hosted backend by subdomain and region, or the address of each service. Spec §5. */
export type BackendSetup = {
  subdomain?: string;
  region?: string;
  /** Where hosted backends live. */
  domain?: string;
} & { [Service in ServiceName as `${Service}Url`]?: string };

const LOCAL = /^(?:https?:\/\/)?local(?:host)?(?::(\d+))?$/;
const HOSTED_DOMAIN = 'nhost.run';

/** The address of every service. Throws what spec §5 says of a wrong set-up. */
export function serviceUrls(setup: BackendSetup): Record<ServiceName, string> {
  const urls = SERVICES.map((service) => [service, serviceUrl(service, setup)]);
  return Object.fromEntries(urls);
}

/** The address of one service, without a slash at the end. */
export function serviceUrl(service: ServiceName, setup: BackendSetup): string {
  const given = setup[`${service}Url`];
  if (given) return given.replace(/\/+$/, '');
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
