import { expect, it } from 'vitest';
import { createLogger } from './logger.ts';

function written(isTTY: boolean) {
  const lines: string[] = [];
  const log = createLogger('info', { isTTY, write: (text) => lines.push(text) });
  return { log, text: () => lines.join('') };
}

it.each([[true], [false]])('never prints a secret, terminal %s', (isTTY) => {
  const { log, text } = written(isTTY);
  log.info({ password: 'hunter2', user: { refreshToken: 'hunter2' } }, 'signed in');
  expect(text()).toContain('signed in');
  expect(text()).not.toContain('hunter2');
});

it('writes a short line for a person', () => {
  const { log, text } = written(true);
  log.info({ status: 200 }, 'GET /');
  expect(text()).toMatch(/^\d\d:\d\d:\d\d info GET \/ status=200\n$/);
});

it('writes JSON for a machine', () => {
  const { log, text } = written(false);
  log.info({ status: 200 }, 'GET /');
  expect(JSON.parse(text())).toMatchObject({ msg: 'GET /', status: 200 });
});
