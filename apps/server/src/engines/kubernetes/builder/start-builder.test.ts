import { expect, it } from 'vitest';
import type { Pod } from '../pod.ts';
import { podEndReason } from './start-builder.ts';

const ended = (reason: string): Pod['status'] => ({
  containerStatuses: [
    {
      restartCount: 0,
      ready: false,
      state: { terminated: { exitCode: 137, reason, startedAt: '', finishedAt: '' } },
    },
  ],
});

it.each<[string, Pod['status'], string | undefined]>([
  ['filled its volume', { phase: 'Failed', reason: 'Evicted' }, 'build-disk-full'],
  ['needed more memory', ended('OOMKilled'), 'build-out-of-memory'],
  ['ended otherwise', ended('Error'), undefined],
  ['runs', { phase: 'Running' }, undefined],
])('names the reason of a builder that %s', (_, status, reason) => {
  const metadata = { name: '', namespace: '', uid: '', creationTimestamp: '', labels: {} };
  expect(podEndReason({ metadata, ...(status && { status }) })).toBe(reason);
});
