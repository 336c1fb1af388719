import type { LogLine } from '@longshore/contract';
import { eventually } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { failure } from '../../../test/failure.ts';
import { createFakeLogs } from '../../../test/fake-logs.ts';
import { createLogReader } from './log-reader.ts';
import { linesOf } from './model/line-list.ts';

function openReader(stored: number) {
  let message: string | undefined;
  const fake = createFakeLogs(() => (message === undefined ? undefined : failure(message)));
  const reader = createLogReader({
    log: { projectId: 'p', appId: 'a' },
    logs: fake.service,
    schedule: (flush) => flush(),
  });
  for (let sequence = 1; sequence <= stored; sequence += 1) fake.stored.push(line(sequence));
  for (const line of fake.stored.slice(-100)) reader.receive(line);
  const numbers = () => linesOf(reader.state().window.lines).map(({ number }) => number);
  const settled = () => eventually(() => reader.state().page.kind !== 'loading');
  return {
    fake,
    reader,
    numbers,
    settled,
    fail: (next: string | undefined) => {
      message = next;
    },
  };
}

function line(sequence: number): LogLine & { sequence: number } {
  const at = new Date(sequence * 1_000).toISOString();
  return { sequence, at, name: 'app-1-1', source: 'app', text: `line ${sequence}` };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

describe('reading a log', () => {
  it('loads older lines page by page, up to the first', async () => {
    const { reader, numbers, settled } = openReader(3_000);
    expect(numbers()).toEqual(range(2_901, 3_000));
    reader.loadOlder();
    reader.loadOlder();
    await settled();
    expect(numbers()).toEqual(range(901, 3_000));
    reader.loadOlder();
    await settled();
    expect(numbers()).toEqual(range(1, 3_000));
    expect(reader.state().window.isAtStart).toBe(true);
  });

  it('shows the lines around a hit far back, then newer ones up to the end', async () => {
    const { reader, numbers, settled } = openReader(5_000);
    reader.showAround(1_000);
    await settled();
    expect(numbers()).toEqual(range(500, 1_499));
    reader.receive(line(5_001));
    expect(numbers().at(-1)).toBe(1_499);
    reader.loadNewer();
    await settled();
    reader.loadNewer();
    await settled();
    expect(numbers()).toEqual(range(500, 5_001));
    expect(reader.state().window.mode).toBe('live');
  });

  it('loads only lines of the selection', async () => {
    const { reader, numbers, settled } = openReader(3_000);
    reader.select({ from: 100_000, to: 200_000 });
    expect(numbers()).toEqual([]);
    reader.loadOlder();
    await settled();
    expect(numbers()).toEqual(range(100, 200));
  });

  it('ignores a page that was requested for another selection', async () => {
    const { fake, reader, numbers, settled } = openReader(3_000);
    const release = fake.holdStored();
    reader.loadOlder();
    reader.select({ from: 2_990_000 });
    release();
    await settled();
    expect(numbers()).toEqual(range(2_990, 3_000));
  });

  it('stops after a failure until the user retries', async () => {
    const { reader, numbers, settled, fail } = openReader(150);
    fail('Failed to fetch logs: 503');
    reader.loadOlder();
    await settled();
    expect(reader.state().page).toEqual({ kind: 'failed', message: 'Failed to fetch logs: 503' });
    fail(undefined);
    reader.loadOlder();
    await settled();
    expect(numbers()).toHaveLength(100);
    reader.retry();
    await settled();
    expect(numbers()).toEqual(range(1, 150));
  });

  it('shows the lines around a match after a failure when the user retries', async () => {
    const { reader, numbers, settled, fail } = openReader(5_000);
    fail('Failed to fetch logs: 503');
    reader.showAround(1_000);
    await settled();
    fail(undefined);
    reader.retry();
    await settled();
    expect(numbers()).toEqual(range(500, 1_499));
    expect(reader.state().page).toEqual({ kind: 'idle' });
  });
});
