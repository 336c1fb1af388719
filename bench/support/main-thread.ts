import type { Page } from 'playwright-core';

/** Records the work of a page's main thread. Install before the page loads. */
export async function watchMainThread(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const metrics = { shifts: 0, lcp: 0, longest: 0 };
    Object.assign(window, { metrics });
    const observe = (type: string, record: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) record(entry);
      }).observe({ type, buffered: true });
    observe('layout-shift', (entry) => {
      const { value, hadRecentInput } = entry as PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      };
      if (!hadRecentInput) metrics.shifts += value;
    });
    observe('largest-contentful-paint', (entry) => {
      metrics.lcp = entry.startTime;
    });
    observe('longtask', (entry) => {
      metrics.longest = Math.max(metrics.longest, entry.duration);
    });
  });
}

export type MainThreadMetrics = { shifts: number; lcp: number; longest: number };

export async function mainThreadMetrics(page: Page): Promise<MainThreadMetrics> {
  return await page.evaluate(() => (window as unknown as { metrics: MainThreadMetrics }).metrics);
}

export async function resetLongestTask(page: Page): Promise<void> {
  await page.evaluate(() => {
    (window as unknown as { metrics: MainThreadMetrics }).metrics.longest = 0;
  });
}

/** Throttles the page's CPU, like a cheap phone. */
export async function throttle(page: Page, times: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: times });
}

/** The page's heap in use after a garbage collection. */
export async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}

/** Scrolls an element to its top and back and returns the main thread time of each frame, in ms. */
export async function scrollFrames(
  page: Page,
  selector: string,
  frames: number,
): Promise<number[]> {
  return await page.evaluate(
    async ([target, count]) => {
      const element = document.querySelector(target) as HTMLElement;
      const times: number[] = [];
      const furthest = element.scrollHeight - element.clientHeight;
      for (let frame = 0; frame < count; frame += 1) {
        const { promise, resolve } = Promise.withResolvers<number>();
        requestAnimationFrame(() => {
          const startedAt = performance.now();
          element.scrollTop = furthest * (1 - Math.abs(1 - (2 * frame) / count));
          // A message is handled after layout and paint of this frame.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - startedAt);
          port2.postMessage(undefined);
        });
        times.push(await promise);
      }
      return times;
    },
    [selector, frames] as const,
  );
}
