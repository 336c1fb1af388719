import type { IntegrationValues } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { anApp, anIntegration } from '../../../../test/resources.ts';
import { integrationView } from './integration-view.ts';

const { source, container } = anApp().values;

describe('an integration card', () => {
  it.each<[Partial<IntegrationValues>, string]>([
    [{ auth_type: 'oauth' }, 'OAuth'],
    [{ auth_type: 'credentials' }, 'Credentials'],
    [{}, 'OAuth'],
    [{ provider: 'dockerhub', type: 'docker' }, 'Credentials'],
  ])('of %j shows the type %s', (values, type) => {
    expect(integrationView(anIntegration(values), []).type).toBe(type);
  });

  it('lists the apps that clone or pull with it', () => {
    const cloning = anApp({ name: 'cloning', source: { ...source, secretName: 'i1' } });
    const pulling = anApp({
      name: 'pulling',
      source: { ...source, enabled: false },
      container: { ...container, pullSecretName: 'i1' },
    });
    const cloningPublicly = anApp({
      name: 'cloning-publicly',
      container: { ...container, pullSecretName: 'i1' },
    });
    const resources = [cloning, pulling, cloningPublicly, anApp({ name: 'open' })];
    expect(integrationView(anIntegration(), resources).usedBy).toEqual(['cloning', 'pulling']);
  });

  it.each([
    [{ state: 'reconnect' }, true],
    [{ state: 'connected' }, false],
    [{}, false],
  ] as const)('with %j needs to reconnect: %s', (values, needsReconnect) => {
    expect(integrationView(anIntegration(values), []).needsReconnect).toBe(needsReconnect);
  });
});
