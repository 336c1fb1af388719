import { describe, expect, it } from 'vitest';
import { anIntegration } from '../../../testing/resources.ts';
import { integrationView } from './integration-view.ts';

describe('an integration card', () => {
  it.each([
    [{ account_name: 'acme', account_id: '7' }, 'acme'],
    [{ account_name: '', account_id: '7' }, '7'],
    [{ account_name: '' }, 'GitLab'],
  ])('with %j names the account %s', (values, account) => {
    expect(integrationView(anIntegration(values)).account).toBe(account);
  });

  it.each([
    ['gitlab', 'GitLab'],
    ['dockerhub', 'Docker Hub'],
    ['github', 'Github'],
  ] as const)('shows the provider %s as %s', (provider, shown) => {
    expect(integrationView(anIntegration({ provider })).provider).toBe(shown);
  });
});
