import { expect, it } from 'vitest';
import { connectPath } from './connect-paths.ts';

it('keeps the slashes of names inside one step of the path', () => {
  const names = { id: '7', repo: 'group/sub group/app', branch: 'feature/50%#1?' };
  expect(connectPath('refs', names)).toBe(
    '/integrations/7/repositories/group%2Fsub%20group%2Fapp/branches/feature%2F50%25%231%3F/refs',
  );
});

it('fills in nothing where nothing is named', () => {
  expect(connectPath('oauthTickets', {})).toBe('/oauth/tickets');
});
