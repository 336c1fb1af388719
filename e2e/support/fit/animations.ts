import type { Page } from 'playwright-core';

const STILL_MS = 1;

/** Elements with running animations, or transitions, that are long enough to be visible. */
export async function findAnimations(page: Page): Promise<string[]> {
  return await page.evaluate((stillMs) => {
    const running = document.getAnimations().filter(({ playState, effect }) => {
      return playState === 'running' && Number(effect?.getComputedTiming().endTime) > stillMs;
    });
    const ready = [...document.body.querySelectorAll('*')].filter((element) =>
      getComputedStyle(element)
        .transitionDuration.split(',')
        .some((seconds) => Number.parseFloat(seconds) * 1000 > stillMs),
    );
    return [
      ...running.map((it) => (it.effect as KeyframeEffect).target?.outerHTML.slice(0, 160) ?? ''),
      ...ready.map((element) => element.outerHTML.slice(0, 160)),
    ];
  }, STILL_MS);
}
