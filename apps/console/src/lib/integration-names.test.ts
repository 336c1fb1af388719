import { describe, expect, it } from 'vitest';
import { anIntegration } from '../../test/resources.ts';
import { accountOf, providerName } from './integration-names.ts';

describe('an integration', () => {
  it.each([
    [{ account_name: 'acme', account_id: '7' }, 'acme'],
    [{ account_name: '', account_id: '7' }, '7'],
    [{ account_name: '' }, 'GitLab'],
  ])('with %j shows the account %s', (values, account) => {
    expect(accountOf(anIntegration(values).values)).toBe(account);
  });

  it.each([
    ['gitlab', 'GitLab'],
    ['dockerhub', 'Docker Hub'],
    ['github', 'Github'],
    ['gitea', 'Gitea'],
  ])('shows the provider %s as %s', (provider, shown) => {
    expect(providerName(provider)).toBe(shown);
  });
});
