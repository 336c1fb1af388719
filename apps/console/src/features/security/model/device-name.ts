import { MESSAGES } from '../messages.ts';

const BROWSERS: [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];

const SYSTEMS: [name: string, sign: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

/** `Firefox on Linux`; a program by its own first word. Order matters: most browsers claim to be others, too. */
export function deviceName(userAgent: string | null): string {
  const { on, unknown } = MESSAGES.devices;
  if (!userAgent) return unknown;
  const browser = named(BROWSERS, userAgent);
  const system = named(SYSTEMS, userAgent);
  if (browser !== undefined) return system === undefined ? browser : on(browser, system);
  return system ?? (userAgent.split(/[\s/]/)[0] || unknown);
}

function named(table: [string, RegExp][], userAgent: string): string | undefined {
  return table.find(([, sign]) => sign.test(userAgent))?.[0];
}
