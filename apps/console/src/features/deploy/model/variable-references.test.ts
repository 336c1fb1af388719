import { describe, expect, it } from 'vitest';
import { anApp, aProject } from '../../../../test/resources.ts';
import { offeredApps, ownOffer, referenceLine, referenceNote } from './variable-references.ts';

const API = { name: 'api', variables: ['URL', 'HOST', 'PORT', 'TOKEN'] };
const own = ownOffer('web', [{ id: '1', key: ' OWN ', value: 'x' }]);

it('offers the addresses and variables of the other apps of the project', () => {
  const { projectId } = anApp().values;
  const apps = [
    anApp({ id: 'a', name: 'worker', env: {} }),
    anApp({ id: 'b', name: 'api', env: { TOKEN: 'x', URL: 'hidden by the address' } }),
    anApp({ id: 'c', name: 'web' }),
    anApp({ id: 'd', name: 'elsewhere', projectId: 'another' }),
  ];
  expect(offeredApps([aProject(), ...apps], { projectId, except: 'c' })).toEqual([
    API,
    { name: 'worker', variables: ['URL', 'HOST', 'PORT'] },
  ]);
});

describe('the note of a variable', () => {
  it.each([
    ['plain $${{api.URL}}', undefined],
    [
      'http://${{api.HOST}}:${{api.PORT}}',
      'Refers to HOST of api, PORT of api. Read when this app starts: restart it after a change.',
    ],
    ['${{web.OWN}}', 'Refers to OWN of web. Read when this app starts: restart it after a change.'],
    ['${{gone.URL}}', 'This project has no app gone.'],
    ['${{api.URL}} ${{api.GONE}}', 'The app api has no variable GONE.'],
  ])('with the value %j is %j', (value, note) => {
    expect(referenceNote(value, { apps: [API], own })).toBe(note);
  });
});

it.each([
  ['api', 'URL', 'API_URL=${{api.URL}}'],
  ['api', 'API_TOKEN', 'API_TOKEN=${{api.API_TOKEN}}'],
  ['my-api', 'Token', 'MY_API_Token=${{my-api.Token}}'],
  ['2fa', 'HOST', 'APP_2FA_HOST=${{2fa.HOST}}'],
])('a reference to %s and %s is added as %s', (app, variable, line) => {
  expect(referenceLine({ app, variable })).toBe(line);
});
