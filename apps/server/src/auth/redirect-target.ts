import { AuthProblem } from './auth-problem.ts';
import type { AuthSettings } from './deps.ts';
import { allowedRedirect } from './redirect-to.ts';

type Options = { redirectTo?: string | null | undefined } | null | undefined;

/** Where the link of a mail will lead in the end; refuses what the rule does not allow. */
export function requireAllowedRedirect(options: Options, settings: AuthSettings): string {
  const target = allowedRedirect(options?.redirectTo, settings);
  if (target === undefined) throw new AuthProblem('redirectTo-not-allowed');
  return target;
}
