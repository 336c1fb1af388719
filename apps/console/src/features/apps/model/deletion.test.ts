import { expect, it } from 'vitest';
import { anApp } from '../../../../test/resources.ts';
import { deletionText } from './deletion.ts';

const git = anApp().values;
const upload = { ...git, source: { ...git.source, enabled: true, url: 'upload:' } };
const image = { ...git, source: { ...git.source, enabled: false } };
const isPrivate = { ...git.publicAccess, enabled: false };
const STOPS = 'This stops the application and deletes its';

it.each([
  ['git', git, `${STOPS} builds, logs and public address. Your repository is not changed.`],
  ['upload', upload, `${STOPS} uploaded code, builds, logs and public address.`],
  ['image', image, `${STOPS} builds, logs and public address.`],
  [
    'private',
    { ...git, publicAccess: isPrivate },
    `${STOPS} builds and logs. Your repository is not changed.`,
  ],
])('names what is deleted with an app: %s', (_, values, text) => {
  expect(deletionText(values)).toBe(text);
});
