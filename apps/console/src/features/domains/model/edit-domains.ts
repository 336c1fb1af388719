import {
  type AppValues,
  AUTO_DOMAIN,
  customDomainProblem,
  customDomainsOf,
  normalizedDomain,
} from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

/** Why the entered domain cannot be added. */
export function newDomainProblem(text: string, values: AppValues): string | undefined {
  const domain = normalizedDomain(text);
  const problem = customDomainProblem(domain);
  if (problem !== undefined) return problem;
  return customDomainsOf(values).includes(domain) ? MESSAGES.add.duplicate : undefined;
}

/** Expects a domain without problems. */
export function withDomain(values: AppValues, text: string): AppValues {
  const { publicAccess } = values;
  const domains = [...(publicAccess.domains ?? []), normalizedDomain(text)];
  return { ...values, publicAccess: { ...publicAccess, domains } };
}

export function withoutDomain(values: AppValues, domain: string): AppValues {
  const { domains = [], ...publicAccess } = values.publicAccess;
  const remaining = domains.filter((other) => other !== domain);
  return {
    ...values,
    publicAccess: {
      ...publicAccess,
      domain: publicAccess.domain === domain ? AUTO_DOMAIN : publicAccess.domain,
      ...(remaining.length > 0 && { domains: remaining }),
    },
  };
}

/** The server's message without the name of the field, which the form shows already. */
export function refusalText(message: string): string {
  return message.replace(/^values\.publicAccess\.domains?: /, '');
}
