import { isStorable } from '@longshore/contract';
import { AuthProblem } from '../auth-problem.ts';
import { chosenFields, type SignUpOptions, signUpOptions } from '../sign-up-options.ts';

/** Sign-up options from an address, where clients write a list with commas and an object as JSON. */
export function queryOptions(query: Record<string, string>): SignUpOptions {
  const { allowedRoles, defaultRole, displayName, locale, metadata } = query;
  const options = signUpOptions.safeParse({
    defaultRole,
    displayName,
    locale,
    allowedRoles: allowedRoles?.split(',').filter((role) => role !== ''),
    metadata: metadata === undefined ? undefined : parseJson(metadata),
  });
  if (!options.success || !isStorable(options.data)) throw new AuthProblem('invalid-request');
  // Refuses wrong roles now, not after the way to the provider.
  chosenFields(options.data, '');
  return options.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AuthProblem('invalid-request', { cause });
  }
}
