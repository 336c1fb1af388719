import { connectPath, SERVICE_PATHS } from '@longshore/contract';

/** Where a provider sends browsers back to: the address the operator registers there. Spec §7. */
export function callbackAddress(publicUrl: string, provider: string): string {
  return `${publicUrl}${SERVICE_PATHS.connect[0]}${connectPath('oauthCallback', { provider })}`;
}
