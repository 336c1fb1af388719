import type { Clock } from '@longshore/edge-contract';
import { LIMITS } from './limits.ts';

/** The body of a request on its way to an app. */
export type Upload = {
  readonly receivedBytes: number;
  /** False: the app does not read, or has begun its response. */
  readonly isVisitorsTurn: boolean;
  onTooSlow(): void;
};

/** Ends uploads that are so slow that they only occupy a connection of the app. */
export type UploadWatch = {
  add(upload: Upload): void;
  remove(upload: Upload): void;
  stop(): void;
};

/** What had arrived at the begin of a time in which bytes must arrive. */
export type UploadWindow = { since: number; bytes: number };

const CHECK_MS = 5_000;
const { uploadWindowMs, minUploadBytesPerSecond } = LIMITS;

/** `next`: the window to go on with. Time in which the visitor cannot send does not count. */
export function judgeUpload(
  window: UploadWindow,
  { receivedBytes, isVisitorsTurn }: Omit<Upload, 'onTooSlow'>,
  now: number,
): { isTooSlow: boolean; next: UploadWindow } {
  const fresh = { since: now, bytes: receivedBytes };
  if (!isVisitorsTurn) return { isTooSlow: false, next: fresh };
  const passedMs = now - window.since;
  if (passedMs < uploadWindowMs) return { isTooSlow: false, next: window };
  const expected = (passedMs / 1_000) * minUploadBytesPerSecond;
  return { isTooSlow: receivedBytes - window.bytes < expected, next: fresh };
}

export function createUploadWatch(clock: Clock): UploadWatch {
  const windows = new Map<Upload, UploadWindow>();
  let timer: unknown;

  function check(): void {
    timer = undefined;
    const now = clock.now();
    for (const [upload, window] of windows) {
      const { isTooSlow, next } = judgeUpload(window, upload, now);
      windows.set(upload, next);
      if (isTooSlow) upload.onTooSlow();
    }
    if (windows.size > 0) schedule();
  }

  function schedule(): void {
    timer ??= clock.setTimeout(check, CHECK_MS);
  }

  return {
    add(upload) {
      windows.set(upload, { since: clock.now(), bytes: upload.receivedBytes });
      schedule();
    },
    remove: (upload) => void windows.delete(upload),
    stop() {
      clock.clearTimeout(timer);
      windows.clear();
    },
  };
}
