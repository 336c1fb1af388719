import { MESSAGES } from '../messages.ts';

const BROWSERS: [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];

const SYSTEMS: [name: string, pattern: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

/** `Firefox on Linux`, or the first word for other programs. The order matters: most user agents also name other browsers. */
export function deviceName(userAgent: string | null): string {
  const { on, unknown } = MESSAGES.devices;
  if (!userAgent) return unknown;
  const browser = findName(BROWSERS, userAgent);
  const system = findName(SYSTEMS, userAgent);
  if (browser !== undefined) return system === undefined ? browser : on(browser, system);
  return system ?? (userAgent.split(/[\s/]/)[0] || unknown);
}

function findName(table: [string, RegExp][], userAgent: string): string | undefined {
  return table.find(([, pattern]) => pattern.test(userAgent))?.[0];
}
