import { describe, expect, it } from 'vitest';
import { aConfig } from '../../test/resources.ts';
import { serverAheadMs, withAbsoluteUrls } from './load-config.ts';

describe('service URLs', () => {
  it('that are paths are resolved against the console’s origin', () => {
    const { services } = withAbsoluteUrls(aConfig(), 'http://localhost:1337');
    expect(services.graphql).toBe('http://localhost:1337/v1/graphql');
  });

  it('of another backend stay as they are, without a trailing slash', () => {
    const config = aConfig();
    config.services.auth = 'https://auth.example.com/v1/';
    expect(withAbsoluteUrls(config, 'http://localhost:1337').services.auth).toBe(
      'https://auth.example.com/v1',
    );
  });
});

describe('the clock of the server', () => {
  const sentAt = Date.parse('2025-06-01T12:00:00.000Z');
  const receivedAt = sentAt + 400;

  it.each([
    ['Sun, 01 Jun 2025 13:00:00 GMT', 3_600_000],
    ['Sun, 01 Jun 2025 11:00:00 GMT', -3_600_000],
  ])('with the date %s is ahead by about %i ms', (date, ahead) => {
    expect(Math.abs(serverAheadMs(date, { sentAt, receivedAt }) - ahead)).toBeLessThan(1_000);
  });

  it.each([
    ['Sun, 01 Jun 2025 12:00:01 GMT'],
    ['Sun, 01 Jun 2025 11:59:59 GMT'],
    ['not a date'],
    [null],
  ])('with the date %s is treated as equal', (date) => {
    expect(serverAheadMs(date, { sentAt, receivedAt })).toBe(0);
  });
});
