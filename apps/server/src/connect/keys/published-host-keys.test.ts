import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { publishedHostKeys } from './published-host-keys.ts';

/** The fingerprints that the hosts publish with the keys. */
const FINGERPRINTS = {
  'github.com': [
    '+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU',
    'p2QAMXNIC1TJYWeIOttrVc98/R1BUFWu3/LiyKgUfQM',
  ],
  'gitlab.com': [
    'eUXGGm1YGsMAS7vkcx6JOJdOGHPem5gQp4taiCfCLB8',
    'HbW3g8zUjNSksFbqTiUWPWg2Bq1x8xdGUrliXFzSnUw',
  ],
};

it.each(Object.entries(FINGERPRINTS))('%s has the published fingerprints', (host, expected) => {
  const fingerprints = (publishedHostKeys(host.toUpperCase()) ?? []).map((key) =>
    createHash('sha256')
      .update(Buffer.from(key.split(' ')[1] ?? '', 'base64'))
      .digest('base64')
      .replace(/=+$/, ''),
  );
  expect(fingerprints).toEqual(expected);
});

it('has no keys of other hosts', () => {
  expect(publishedHostKeys('github.com.evil.example')).toBeUndefined();
});
