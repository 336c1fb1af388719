import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { createUploadWatch, judgeUpload, type Upload } from './upload-watch.ts';

const START = { since: 0, bytes: 0 };

it.each([
  ['nothing yet, for a while', 0, true, 29_999, false],
  ['too little in the window', 7_199, true, 30_000, true],
  ['enough in the window', 7_200, true, 30_000, false],
  ['nothing, because the app does not read', 0, false, 60_000, false],
])('judges an upload with %s', (_what, receivedBytes, isVisitorsTurn, now, isTooSlow) => {
  expect(judgeUpload(START, { receivedBytes, isVisitorsTurn }, now).isTooSlow).toBe(isTooSlow);
});

it('expects bytes in each window, not on average', () => {
  const { next } = judgeUpload(START, { receivedBytes: 1e9, isVisitorsTurn: true }, 30_000);
  const later = { receivedBytes: 1e9 + 1, isVisitorsTurn: true };
  expect(judgeUpload(next, later, 60_000).isTooSlow).toBe(true);
});

it('starts a new window when it is the turn of the visitor again', () => {
  const { next } = judgeUpload(START, { receivedBytes: 5, isVisitorsTurn: false }, 100_000);
  expect(next).toEqual({ since: 100_000, bytes: 5 });
});

it('ends slow uploads only, and holds no timer without uploads', async () => {
  const clock = createSimulatedClock();
  const watch = createUploadWatch(clock);
  const ended: string[] = [];
  function uploadOf(name: string, bytesPerSecond: number): Upload {
    const upload = {
      get receivedBytes() {
        return (clock.now() / 1_000) * bytesPerSecond;
      },
      isVisitorsTurn: true,
      onTooSlow() {
        ended.push(name);
        watch.remove(upload);
      },
    };
    return upload;
  }
  const fast = uploadOf('fast', 10_000);
  watch.add(fast);
  watch.add(uploadOf('slow', 100));
  await clock.advance(120_000);
  expect(ended).toEqual(['slow']);
  watch.remove(fast);
  await clock.advance(10_000);
  watch.stop();
});
