import { expect, it } from 'vitest';
import { recoveryCodesFile, recoveryCodesView } from './recovery-codes.ts';

it.each([
  [10, '10 recovery codes left. Each one', false, 'Create new codes'],
  [4, '4 recovery codes left. Each one', false, 'Create new codes'],
  [3, '3 recovery codes left. Create new codes before', true, 'Create new codes'],
  [1, '1 recovery code left. Create new codes before', true, 'Create new codes'],
  [0, 'No recovery codes.', true, 'Create recovery codes'],
])('with %i unused codes the page says "%s…", as a warning: %s', (left, text, isLow, action) => {
  expect(recoveryCodesView(left)).toMatchObject({ isLow, action });
  expect(recoveryCodesView(left).text.startsWith(text)).toBe(true);
});

it('the file names the account and lists one code per line', () => {
  const lines = recoveryCodesFile(['2345-6789-ABCD', 'EFGH-JKLM-NPQR'], 'ada@example.com');
  expect(lines.split('\n')).toEqual([
    'Longshore recovery codes of ada@example.com',
    'Each code signs you in once instead of a code from your authenticator app.',
    '',
    '2345-6789-ABCD',
    'EFGH-JKLM-NPQR',
    '',
  ]);
});
