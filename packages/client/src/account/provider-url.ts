import { AUTH_PATHS } from '@longshore/contract';
import { resolveRedirect } from '../auth/url-parameters.ts';
import { fillPath } from './fill-path.ts';

/** Lists are sent comma-separated, objects as JSON (spec-map 7.2.25). */
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
  /** The current URL; a redirect path is resolved against it. */
  href?: string | undefined;
};

/** The URL that starts a sign-in with a provider. */
export function providerUrl({ url, provider, options = {}, href }: ProviderRequest): string {
  const target = new URL(url + fillPath(AUTH_PATHS.signInProvider, provider));
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
