import type { Page } from 'playwright-core';
import type { Harbour } from '../harbour.ts';

export type Visitor = 'nobody' | 'newcomer' | 'owner';

/** One state of the console, and the way to it. */
export type Screen = {
  name: string;
  who: Visitor;
  path(harbour: Harbour): string;
  /** What is arranged before the page is opened; it stays for that page alone. */
  before?(page: Page): Promise<void>;
  /** What is done there before one looks. */
  open?(page: Page): Promise<void>;
  /** Only where the screen is this small. */
  isSmall?: true;
};
