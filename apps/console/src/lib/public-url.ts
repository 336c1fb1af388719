import { type ConsoleConfig, publicUrlOf } from '@longshore/contract';

/** `secureHosts`: those with a certificate. */
export type Ingress = ConsoleConfig['ingress'] & { secureHosts?: readonly string[] };

/** The URL of an app at one of its hosts. */
export function urlOfHost(ingress: Ingress, host: string): string {
  return publicUrlOf(ingress, host, ingress.secureHosts?.includes(host));
}
