import { AUTH_PATHS } from '@longshore/contract';
import { resolveRedirect } from '../auth/address-parameters.ts';
import { pathTo } from './path-to.ts';

/** Lists are sent with commas between, objects as JSON. Spec §7. */
export type ProviderOptions = {
  redirectTo?: string;
  allowedRoles?: string[];
  metadata?: Record<string, unknown>;
  /** The access token of the user to link the provider's account to. */
  connect?: string;
  [option: string]: unknown;
};

export type ProviderRequest = {
  /** The auth service. */
  url: string;
  provider: string;
  options?: ProviderOptions | undefined;
  /** Where the browser is; a redirect by path is resolved against it. */
  href?: string | undefined;
};

/** Where the browser goes to sign in with a provider. */
export function providerUrl({ url, provider, options = {}, href }: ProviderRequest): string {
  const target = new URL(url + pathTo(AUTH_PATHS.signInProvider, provider));
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null) continue;
    const text = textOf(value);
    const isPath = name === 'redirectTo' && href !== undefined;
    target.searchParams.set(name, isPath ? resolveRedirect(text, href) : text);
  }
  return target.href;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
