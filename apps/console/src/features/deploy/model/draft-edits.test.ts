import { expect, it } from 'vitest';
import { anApp } from '../../../../test/resources.ts';
import { deepEqual } from '../../../lib/deep-equal.ts';
import { draftFromApp } from './draft-conversion.ts';
import { editableFields } from './draft-edits.ts';
import { reduceWizard, type WizardEvent } from './wizard.ts';

const draft = draftFromApp(anApp({ env: { GREETING: 'hello' } }).values);

it.each<[string, WizardEvent[], boolean]>([
  ['nothing', [], false],
  ['another step', [{ type: 'back' }], false],
  ['an empty row', [{ type: 'add-env' }], false],
  ['a field', [{ type: 'change', change: { port: '81' } }], true],
  [
    'a field and back',
    [
      { type: 'change', change: { port: '81' } },
      { type: 'change', change: { port: draft.port } },
    ],
    false,
  ],
  ['a value', [{ type: 'change-env', id: '1', change: { value: 'hi' } }], true],
  ['a removed row', [{ type: 'remove-env', id: '1' }], true],
  [
    'a key without a value',
    [{ type: 'add-env' }, { type: 'change-env', id: '2', change: { key: 'A' } }],
    true,
  ],
])('%s counts as an edit: %#', (_, events, isEdit) => {
  const { draft: after } = events.reduce(reduceWizard, { step: 2, draft });
  expect(!deepEqual(editableFields(draft), editableFields(after))).toBe(isEdit);
});
