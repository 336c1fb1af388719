import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { consoleConfig } from './config.ts';
import { createConsole } from './service.ts';

it('reports with each request whether the set-up code is still needed', async () => {
  const fixed = consoleConfig(readConfig({}, tmpdir()), {
    kind: 'process',
    hasProjectNetwork: false,
  });
  let needsSetupCode = true;
  const app = createConsole({
    folder: tmpdir(),
    config: async () => ({ ...fixed, needsSetupCode }),
  });
  const readConfigJson = async () => (await app.request('/config.json')).json();
  expect(await readConfigJson()).toEqual({ ...fixed, needsSetupCode: true });
  needsSetupCode = false;
  expect(await readConfigJson()).toEqual({ ...fixed, needsSetupCode: false });
});
