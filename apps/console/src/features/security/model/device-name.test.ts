import { expect, it } from 'vitest';
import { deviceName } from './device-name.ts';

const LINUX = 'Mozilla/5.0 (X11; Linux x86_64)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  [`${LINUX} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [`${LINUX} ${WEBKIT} HeadlessChrome/140.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [`${MAC} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge on macOS'],
  [`${MAC} AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15`, 'Safari on macOS'],
  ['Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) CriOS/140.0 Mobile Safari/604.1', 'Chrome on iPhone'],
  ['curl/8.5.0', 'curl'],
  ['node', 'node'],
  ['', 'Unknown device'],
  [null, 'Unknown device'],
])('%s is named %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
