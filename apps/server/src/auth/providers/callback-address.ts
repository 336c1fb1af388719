import { AUTH_PATHS, SERVICE_PATHS } from '@longshore/contract';

/** Where a provider sends browsers back to: the address the operator registers there. */
export function callbackAddress(publicUrl: string, provider: string): string {
  const path = AUTH_PATHS.signInProviderCallback.replace(':provider', provider);
  return `${publicUrl}${SERVICE_PATHS.auth[0]}${path}`;
}
