import {
  AUTO_DOMAIN,
  isRecord,
  kindOf,
  type PublicAccess,
  parseAppValues,
  parseProjectValues,
  type SourceRules,
} from '@longshore/contract';
import { GraphqlProblem } from '../graphql-problem.ts';

/**
 * Automatic domains live below the base domain, so nobody may claim a name there. Nor the console's own: browsers
 * send its cookies to every port of it, and with it to the app.
 */
export type ValueRules = SourceRules & { baseDomain: string; publicUrl: string };

/** Everything of a user's is sent at each change, so one row may not be a book. */
const MAX_VALUES_LENGTH = 200_000;

export type CheckedValues =
  | { kind: 'project'; values: Record<string, unknown> }
  | {
      kind: 'app';
      values: Record<string, unknown>;
      projectId: string;
      customDomain: string | undefined;
      integrations: NamedIntegration[];
    };

/** An integration that an app clones or pulls with, by its id, and the field that names it. */
export type NamedIntegration = {
  field: 'source.secretName' | 'container.pullSecretName';
  id: string;
};

/** Values per kind, by the contract's rules, at insert and at update alike. The message names the field. */
export function checkValues(
  chartName: string,
  values: unknown,
  { userId, rules }: { userId: string; rules: ValueRules },
): CheckedValues {
  if (JSON.stringify(values ?? null).length > MAX_VALUES_LENGTH) {
    throw new GraphqlProblem('validation-failed', 'values: they are too large');
  }
  const kind = kindOf(chartName);
  if (kind === 'app') {
    const parsed = parseAppValues(values, rules);
    if (!parsed.ok) throw invalid(parsed.field, parsed.message);
    const customDomain = customDomainOf(parsed.value.publicAccess);
    if (customDomain !== undefined && `.${customDomain}`.endsWith(`.${rules.baseDomain}`)) {
      throw invalid('publicAccess.domain', 'Custom domain must not be below the base domain');
    }
    if (customDomain === new URL(rules.publicUrl).hostname) {
      throw invalid('publicAccess.domain', 'Custom domain must not be that of the console');
    }
    const { projectId } = parsed.value;
    return {
      kind,
      values: parsed.value,
      projectId,
      customDomain,
      integrations: integrationsOf(parsed.value),
    };
  }
  if (kind === 'project') {
    const parsed = parseProjectValues(values);
    if (!parsed.ok) throw invalid(parsed.field, parsed.message);
    if (parsed.value.userId !== userId)
      throw invalid('userId', 'User ID missing, please sign in again');
    return { kind, values: parsed.value };
  }
  throw new GraphqlProblem(
    'validation-failed',
    kind === 'credential'
      ? 'chart_name: integrations are connected through the integrations service'
      : 'chart_name: must be the name of a project or an app',
  );
}

/** The names of integrations among values that may be of any form. */
export function integrationsOf(values: unknown): NamedIntegration[] {
  const { source, container } = isRecord(values) ? values : {};
  const named = {
    'source.secretName': isRecord(source) ? source.secretName : undefined,
    'container.pullSecretName': isRecord(container) ? container.pullSecretName : undefined,
  };
  return Object.entries(named).flatMap(([field, id]) =>
    typeof id === 'string' && id !== '' ? [{ field: field as NamedIntegration['field'], id }] : [],
  );
}

function customDomainOf({ enabled, domain }: PublicAccess): string | undefined {
  return enabled && domain !== AUTO_DOMAIN ? domain : undefined;
}

function invalid(field: string, message: string): GraphqlProblem {
  return new GraphqlProblem('validation-failed', `values.${field}: ${message}`);
}
