import { expect, it } from 'vitest';
import { returnToast } from './return-toast.ts';

it.each([
  ['', undefined],
  ['?other=1', undefined],
  ['?connected=gitlab', 'GitLab connected'],
  ['?connected=github', 'GitHub connected'],
  ['?connected=nonsense', undefined],
  ['?failed=denied', 'You did not allow access, so nothing was connected.'],
  ['?failed=expired', 'It took too long, or began in another browser. Please try again.'],
  ['?failed=unreachable', 'The provider did not answer. Please try again later.'],
  [
    '?failed=not-configured',
    'The operator has not set up this provider. Use an access token instead.',
  ],
  ['?failed=refused', 'The provider did not confirm the access. Please try again.'],
  ['?failed=toString', 'The provider did not confirm the access. Please try again.'],
])('coming back with %j says %s', (search, said) => {
  const toast = returnToast(new URLSearchParams(search));
  expect(toast?.text ?? toast?.title).toBe(said);
});
