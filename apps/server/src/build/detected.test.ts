import { describe, expect, it } from 'vitest';
import type { Checkout } from './build-plan.ts';
import { detect, type PlanSettings } from './detect.ts';
import { detectedDockerfile, detectedOf } from './detected.ts';

const NEXT = {
  scripts: { build: 'next build' },
  dependencies: { next: '15' },
  engines: { node: '>=20' },
};
const ELEVENTY = { scripts: { build: 'eleventy' }, dependencies: { '@11ty/eleventy': '3' } };
const FLASK = files({ 'requirements.txt': 'flask\ngunicorn', 'app.py': 'app = Flask(__name__)' });

describe('what is shown of a build', () => {
  it.each<[string, Checkout, object]>([
    [
      'a framework',
      files({ 'package.json': JSON.stringify(NEXT), 'package-lock.json': '' }),
      {
        summary: 'Next.js',
        installCommand: 'npm ci',
        buildCommand: 'npm run build',
        startCommand: expect.stringContaining('next start'),
        versions: { node: '>=20' },
      },
    ],
    [
      'a site whose build is prepared by a program',
      files({ 'package.json': JSON.stringify(ELEVENTY), 'package-lock.json': '' }),
      {
        summary: 'Eleventy',
        installCommand: 'npm ci',
        buildCommand: 'npm run build',
      },
    ],
    [
      'a server in Python',
      FLASK,
      {
        summary: 'Python (app.py)',
        installCommand: 'python3 -m pip install --requirement requirements.txt',
        startCommand: 'gunicorn --bind $HOST:$PORT app:app',
      },
    ],
    [
      'no script of several lines',
      files({ Pipfile: '[packages]', 'main.py': '' }),
      {
        summary: 'Python (main.py)',
        installCommand: 'python3 -m pip install --requirement .longshore/tools/pipfile.txt',
        startCommand: 'python3 main.py',
      },
    ],
    [
      'a site without a build',
      files({ 'index.html': '' }),
      { summary: 'index.html', outputDirectory: '.' },
    ],
    [
      'a line for a shell',
      files({ Procfile: 'web: ./migrate && ./serve' }),
      { summary: 'Procfile with a web line', startCommand: './migrate && ./serve' },
    ],
    [
      'words with spaces',
      files({ Procfile: `web: ./serve "it's" 'a b'` }),
      { summary: 'Procfile with a web line', startCommand: `./serve 'it'\\''s' 'a b'` },
    ],
  ])('of %s are its name and its commands', (_, checkout, expected) => {
    expect(shown(checkout)).toEqual({ ...expected, variables: [] });
  });

  it('is what is used where nothing is typed, although something is', () => {
    expect(shown(FLASK, { run: { command: './mine' } })).toEqual(shown(FLASK));
    const others = files({ 'main.rb': '' });
    expect(shown(others, { run: { command: 'ruby main.rb' } })).toEqual({
      summary: 'start command in the settings',
      variables: [],
    });
  });

  it('includes the names of example variables, and never their values', () => {
    const env = '# Secrets\nSECRET=hunter2\nexport API_KEY = hunter3\n#OLD=1\nSECRET=x\n1X=y\n';
    const env2 = { NAME: 'hunter4', KEY: { required: false }, SALT: { generator: 'secret' } };
    const checkout = files({
      Dockerfile: '',
      '.env.example': env,
      'app.json': JSON.stringify({ env: { ...env2, TOKEN: { description: 'x' } } }),
    });
    const detected = detectedDockerfile('Dockerfile', checkout);
    expect(detected).toEqual({
      summary: 'Dockerfile',
      dockerfile: 'Dockerfile',
      variables: [
        { name: 'SECRET', file: '.env.example' },
        { name: 'API_KEY', file: '.env.example' },
        { name: 'NAME', file: 'app.json' },
        { name: 'TOKEN', file: 'app.json' },
      ],
    });
    expect(JSON.stringify(detected)).not.toContain('hunter');
  });

  it('ignores an app.json that is not JSON', () => {
    const checkout = files({ Dockerfile: '', 'app.json': '{' });
    expect(detectedDockerfile('Dockerfile', checkout).variables).toEqual([]);
  });
});

function shown(checkout: Checkout, settings: PlanSettings = {}) {
  const detection = detect(checkout, settings);
  if (detection.kind === 'nothing') throw new Error(detection.evidence.join('\n'));
  return detectedOf(detection.plan, checkout);
}

function files(texts: Record<string, string>): Checkout {
  return { files: Object.keys(texts), texts };
}
