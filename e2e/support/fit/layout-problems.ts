import type { CDPSession, Page } from 'playwright-core';
import type { Viewport } from '../screen-tour.ts';
import { controlsOf } from './controls.ts';
import { horizontalOverflow, truncatedText } from './overflow.ts';
import { smallTargets } from './small-targets.ts';

/** A window of 1440 by 900 at 200 % zoom has the layout of 720 by 450. */
export const SIZES = {
  tablet: { width: 768, height: 1024 },
  zoomed: { width: 720, height: 450 },
  phone: { width: 360, height: 740 },
  'zoomed phone': { width: 320, height: 450 },
} as const satisfies Record<string, Viewport>;
export type Size = keyof typeof SIZES;

const TOUCH_TARGET_PX = 40;

/** The layout problems of a screen at a size, with the HTML of the elements. */
export async function layoutProblems(page: Page, size: Size): Promise<string[]> {
  const isTouch = size !== 'zoomed';
  const session = await page.context().newCDPSession(page);
  await emulateTouch(session, isTouch);
  await page.setViewportSize(SIZES[size]);
  await renderAll(page);
  const controls = await controlsOf(page, TOUCH_TARGET_PX);
  const found = [
    ...label('scrolls sideways', await horizontalOverflow(page)),
    ...label('is cut off', await truncatedText(page)),
    ...label('cannot be reached', controls.filter(({ isReachable }) => !isReachable).map(htmlOf)),
    ...label('is too small', isTouch ? smallTargets(controls, TOUCH_TARGET_PX).map(htmlOf) : []),
  ];
  await emulateTouch(session, false);
  await session.detach();
  return found.map((problem) => `${size}: ${problem}`);
}

function label(problem: string, elements: string[]): string[] {
  return elements.map((html) => `${problem}: ${html}`);
}

function htmlOf({ html }: { html: string }): string {
  return html;
}

async function emulateTouch(session: CDPSession, enabled: boolean): Promise<void> {
  await session.send('Emulation.setTouchEmulationEnabled', { enabled, maxTouchPoints: 1 });
}

/** Off-screen cards are not rendered, and do not receive clicks until one frame after they came into view. */
export async function renderAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const card of document.querySelectorAll('li')) card.style.contentVisibility = 'visible';
  });
}
