import { expect, it } from 'vitest';
import { returnToast } from './return-toast.ts';

it.each([
  ['', undefined],
  ['?other=1', undefined],
  ['?connected=gitlab', 'GitLab connected'],
  ['?connected=github', 'GitHub connected'],
  ['?connected=nonsense', undefined],
  ['?failed=denied', 'You denied access, so nothing was connected.'],
  [
    '?failed=expired',
    'The sign-in took too long or was started in another browser. Please try again.',
  ],
  ['?failed=unreachable', 'The provider did not respond. Please try again later.'],
  [
    '?failed=not-configured',
    'OAuth is not configured for this provider. Use an access token instead.',
  ],
  ['?failed=refused', 'The provider rejected the request. Please try again.'],
  ['?failed=toString', 'The provider rejected the request. Please try again.'],
])('returning with %j shows %s', (search, text) => {
  const toast = returnToast(new URLSearchParams(search));
  expect(toast?.text ?? toast?.title).toBe(text);
});
