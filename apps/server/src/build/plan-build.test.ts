import { describe, expect, it } from 'vitest';
import type { Checkout, StartPlan } from './build-plan.ts';
import { planBuild } from './plan-build.ts';

const EXPRESS = checkoutOf({
  'package.json': { scripts: { start: 'node app.js' }, dependencies: { express: '5' } },
});
const SITE = checkoutOf({
  'package.json': { scripts: { build: 'vite build' }, devDependencies: { vite: '7' } },
});
const LIBRARY = checkoutOf({ 'package.json': { dependencies: { express: '5' } } });
const command = (...argv: [string, ...string[]]): Partial<StartPlan> => ({ kind: 'command', argv });

describe('a start command', () => {
  it.each<[string, Checkout, string | undefined, boolean, Partial<StartPlan>]>([
    ['is not needed by a server', EXPRESS, undefined, false, command('node', 'app.js')],
    ['does not replace the start of a build', EXPRESS, 'node b', false, command('node', 'app.js')],
    ['does not replace the start of a site', SITE, 'node b', false, { kind: 'static' }],
    ['is what makes a build possible', LIBRARY, 'node b', true, command('node', 'b')],
  ])('%s', (_, checkout, typed, needsStartCommand, start) => {
    const planned = planBuild(checkout, typed === undefined ? {} : { run: { command: typed } });
    expect(planned).toMatchObject({ kind: 'plan', needsStartCommand, plan: { start } });
  });

  it('is asked for where nothing else says how to start', () => {
    expect(planBuild(LIBRARY, {})).toMatchObject({ kind: 'nothing' });
  });

  it('is needed where a build prepares the detected start', () => {
    const flask = checkoutOf({ 'requirements.txt': 'flask', 'app.py': 'app = Flask(__name__)' });
    const needs = [{}, { run: { command: 'python app.py' } }].map((settings) =>
      planBuild(flask, settings),
    );
    expect(needs).toMatchObject([{ needsStartCommand: true }, { needsStartCommand: true }]);
  });
});

function checkoutOf(files: Record<string, unknown>): Checkout {
  const texts = Object.fromEntries(
    Object.entries(files).map(([name, content]) => [
      name,
      typeof content === 'string' ? content : JSON.stringify(content),
    ]),
  );
  return { files: Object.keys(files), texts };
}
