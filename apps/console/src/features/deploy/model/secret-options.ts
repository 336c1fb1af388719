import type { IntegrationResource, IntegrationValues } from '@longshore/contract';
import { accountOf, providerName } from '../../../lib/integration-names.ts';
import { MESSAGES } from '../messages.ts';

/** Option for an integration (spec-map 3.6). `name` is the integration id, which app values store. */
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
  const host = values.host ?? providerName(values.provider);
  const note = values.state === 'reconnect' ? `, ${MESSAGES.accessExpiredNote}` : '';
  return `${accountOf(values)} (${host}${note})`;
}
