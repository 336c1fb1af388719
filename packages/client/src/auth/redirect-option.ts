import { resolveRedirect } from './address-parameters.ts';
import type { EffectDeps } from './effect-deps.ts';

/** The options with a whole address to come back to. Spec §7. */
export function withRedirect<Options extends { redirectTo?: string }>(
  options: Options | undefined,
  { address }: Pick<EffectDeps, 'address'>,
): Options | undefined {
  if (options?.redirectTo === undefined || address === undefined) return options;
  return { ...options, redirectTo: resolveRedirect(options.redirectTo, address.href()) };
}
