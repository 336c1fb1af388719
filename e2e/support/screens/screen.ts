import type { Page } from 'playwright-core';
import type { SampleAccounts } from '../sample-accounts.ts';

export type ScreenUser = 'signedOut' | 'newUser' | 'owner';

/** One screen of the console and how to open it. */
export type Screen = {
  name: string;
  user: ScreenUser;
  path(accounts: SampleAccounts): string;
  /** Runs before the page is opened, and applies to that page only. */
  prepare?(page: Page): Promise<void>;
  /** Runs on the page before it is checked. */
  open?(page: Page): Promise<void>;
  /** Only exists on small screens. */
  isSmall?: true;
};
