import { describe, expect, it } from 'vitest';
import { aConfig } from '../../test/resources.ts';
import { withWholeAddresses } from './load-config.ts';

describe('service addresses', () => {
  it('that are paths lie below the console’s own origin', () => {
    const { services } = withWholeAddresses(aConfig(), 'http://localhost:1337');
    expect(services.graphql).toBe('http://localhost:1337/v1/graphql');
  });

  it('of another backend stay whole, without a slash at the end', () => {
    const config = aConfig();
    config.services.auth = 'https://auth.example.com/v1/';
    expect(withWholeAddresses(config, 'http://localhost:1337').services.auth).toBe(
      'https://auth.example.com/v1',
    );
  });
});
