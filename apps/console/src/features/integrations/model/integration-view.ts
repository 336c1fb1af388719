import {
  type AppResource,
  type IntegrationResource,
  isApp,
  type Resource,
} from '@longshore/contract';
import { accountOf, providerName } from '../../../lib/integration-names.ts';
import { MESSAGES } from '../messages.ts';

export type IntegrationView = {
  id: string;
  account: string;
  provider: string;
  type: string;
  isRegistry: boolean;
  host: string;
  needsReconnect: boolean;
  /** Names of the apps that use it to clone or pull. */
  usedBy: string[];
};

export function integrationView(
  { id, values }: IntegrationResource,
  resources: Resource[],
): IntegrationView {
  const isRegistry = values.type === 'docker';
  return {
    id,
    account: accountOf(values),
    provider: providerName(values.provider),
    type:
      (values.auth_type ?? (isRegistry && 'credentials')) === 'credentials'
        ? MESSAGES.card.types.credentials
        : MESSAGES.card.types.oauth,
    isRegistry,
    host: values.host ?? '',
    needsReconnect: values.state === 'reconnect',
    usedBy: resources
      .filter(isApp)
      .filter((app) => uses(app, id))
      .map((app) => app.values.name),
  };
}

function uses({ values: { source, container } }: AppResource, id: string): boolean {
  return source.enabled ? source.secretName === id : container.pullSecretName === id;
}
