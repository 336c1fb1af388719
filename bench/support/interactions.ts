import type { Page } from 'playwright-core';

/** Event Timing reports nothing shorter. */
const SHORTEST_MS = 16;

type Watch = { observer: PerformanceObserver; longestMs: number };

/** Records how long each click and key waited for the next paint. Install before the page loads. */
export async function watchInteractions(page: Page): Promise<void> {
  await page.addInitScript((durationThreshold) => {
    type Timed = PerformanceEntry & { interactionId: number };
    const record = (entries: PerformanceEntryList) => {
      for (const { interactionId, duration } of entries as Timed[])
        if (interactionId > 0) watch.longestMs = Math.max(watch.longestMs, duration);
    };
    const observer = new PerformanceObserver((list) => record(list.getEntries()));
    const watch = { observer, longestMs: 0, settle: () => record(observer.takeRecords()) };
    Object.assign(window, { watch });
    observer.observe({ type: 'event', durationThreshold } as PerformanceObserverInit);
  }, SHORTEST_MS);
}

/** From the slowest input of an action to the next paint. */
export async function latencyOf(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => {
    (window as unknown as { watch: Watch }).watch.longestMs = 0;
  });
  await act();
  return await page.evaluate(async (shortestMs) => {
    const { watch } = window as unknown as { watch: Watch & { settle(): void } };
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    // Paint timings are reported in a separate task.
    await new Promise((resolve) => setTimeout(resolve));
    watch.settle();
    return Math.max(watch.longestMs, shortestMs);
  }, SHORTEST_MS);
}

/** From a click to the frame that shows a page with this heading and its cards. */
export async function arrivalOf(
  page: Page,
  heading: string,
  press: () => Promise<unknown>,
): Promise<number> {
  const arrived = page.evaluate((text) => {
    const { promise, resolve } = Promise.withResolvers<number>();
    let pressedAt = 0;
    const recordPress = (event: Event) => {
      pressedAt = event.timeStamp;
    };
    addEventListener('pointerdown', recordPress, { capture: true, once: true });
    const checkFrame = () => {
      const hasHeading = document.querySelector('h1')?.textContent === text;
      if (hasHeading && document.querySelector('main li') !== null)
        resolve(performance.now() - pressedAt);
      else requestAnimationFrame(checkFrame);
    };
    checkFrame();
    return promise;
  }, heading);
  await press();
  return await arrived;
}
