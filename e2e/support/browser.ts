import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { netlinkFilter } from './netlink-filter.ts';

const PICTURES = join(import.meta.dirname, '../pictures');
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/**
 * Chromium gives up all requests when a network device of its machine appears or goes, as with each instance of an app. So it
 * may not ask the kernel for its networks.
 */
export async function launchBrowser(args: string[] = []): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-browser-'));
  const filter = join(folder, 'filter');
  await writeFile(filter, netlinkFilter());
  const launch = () =>
    chromium.launch({
      executablePath: join(import.meta.dirname, 'chromium.sh'),
      env: {
        ...process.env,
        CHROMIUM: process.env.LONGSHORE_CHROMIUM ?? '/usr/bin/chromium',
        SYSTEM_CALL_FILTER: filter,
      },
      args: [...ARGS, ...args],
    });
  // Bubblewrap fails if another program removes one of the machine's mounts at the same moment.
  const browser = await launch().catch(launch);
  await rm(folder, { recursive: true });
  return browser;
}

/** Saves a screenshot for manual review. */
export async function picture(page: Page, name: string): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' });
}

/** Collects the errors of a page. A test expects none at its end. */
export function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}
