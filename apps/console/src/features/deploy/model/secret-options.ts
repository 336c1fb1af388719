import type { IntegrationResource, IntegrationValues } from '@longshore/contract';
import { accountOf, providerName } from '../../../lib/integration-names.ts';
import { MESSAGES } from '../messages.ts';

/** Spec §3, Secrets option. The name is what an app's values hold: the id of the integration. */
export type SecretOption = { name: string; type: IntegrationValues['type']; displayName: string };

export function secretOptions(
  integrations: IntegrationResource[],
  type: IntegrationValues['type'],
): SecretOption[] {
  return integrations
    .filter(({ values }) => values.type === type)
    .map(({ id, values }) => ({ name: id, type, displayName: displayNameOf(values) }));
}

function displayNameOf(values: IntegrationValues): string {
  const place = values.host ?? providerName(values.provider);
  const ended = values.state === 'reconnect' ? `, ${MESSAGES.ended}` : '';
  return `${accountOf(values)} (${place}${ended})`;
}
