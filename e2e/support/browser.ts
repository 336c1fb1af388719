import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const PICTURES = join(import.meta.dirname, '../pictures');
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export async function launchBrowser(args: string[] = []): Promise<Browser> {
  return await chromium.launch({
    executablePath: process.env.LONGSHORE_CHROMIUM ?? '/usr/bin/chromium',
    args: [...ARGS, ...args],
  });
}

/** Saves a screenshot for manual review. */
export async function picture(page: Page, name: string): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' });
}

/** Chromium gives up requests when a network device of its machine appears or goes, as with each instance of an app. */
const NETWORK_CHANGED = 'net::ERR_NETWORK_CHANGED';

/** Collects the errors of a page. A test expects none at its end. */
export function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    const isError = message.type() === 'error' && !message.text().includes(NETWORK_CHANGED);
    if (isError) errors.push(message.text());
  });
  return errors;
}
