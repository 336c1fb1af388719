import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { consoleConfig } from './config.ts';
import { createConsole } from './service.ts';

it('tells at each visit whether the first account is still to be made', async () => {
  const lasting = consoleConfig(readConfig({}, tmpdir()), 'process');
  let needsSetupCode = true;
  const app = createConsole({
    folder: tmpdir(),
    config: async () => ({ ...lasting, needsSetupCode }),
  });
  const told = async () => (await app.request('/config.json')).json();
  expect(await told()).toEqual({ ...lasting, needsSetupCode: true });
  needsSetupCode = false;
  expect(await told()).toEqual({ ...lasting, needsSetupCode: false });
});
