import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Frame } from './animate.ts';

const SIZE = { width: 1120, height: 700 };
/** Sharp on most screens, and a third of the bytes of a scale of 2. */
const SCALE = 1.5;

export type Theme = 'light' | 'dark';

/** A browser window in one theme, signed in if storage is given. */
export async function openWindow(
  browser: Browser,
  theme: Theme,
  storage?: Awaited<ReturnType<BrowserContext['storageState']>>,
): Promise<Page> {
  const context = await browser.newContext({
    viewport: SIZE,
    deviceScaleFactor: SCALE,
    colorScheme: theme,
    reducedMotion: 'reduce',
    ...(storage === undefined ? {} : { storageState: storage }),
  });
  return await context.newPage();
}

/** Takes pictures into a folder: `name.png` in light, `name.dark.png` in dark. */
export function createCamera(folder: string) {
  return async (page: Page, name: string, theme: Theme): Promise<void> => {
    await mkdir(folder, { recursive: true });
    const file = theme === 'light' ? `${name}.png` : `${name}.${theme}.png`;
    await page.screenshot({ path: join(folder, file), animations: 'disabled', caret: 'hide' });
  };
}

/** Records frames of a window. */
export function createReel(page: Page) {
  const frames: Frame[] = [];
  return {
    frames,
    async keep(ms: number): Promise<void> {
      const png = await page.screenshot({ scale: 'css', animations: 'disabled' });
      frames.push({ png, ms });
    },
  };
}
