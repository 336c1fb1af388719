import { describe, expect, it } from 'vitest';
import { detect } from './detect.ts';
import { readPlatformFiles } from './platform-files.ts';

describe('the files of other platforms', () => {
  const cases: [file: string, text: string, said: object | undefined][] = [
    [
      'railway.json',
      '{"build":{"builder":"NIXPACKS","buildCommand":"make"},"deploy":{"startCommand":"./app"}}',
      { build: 'make', start: './app' },
    ],
    ['railway.toml', '[deploy]\nstartCommand = "python -m web"', { start: 'python -m web' }],
    [
      'nixpacks.toml',
      '[phases.build]\ncmds = ["...", "make a", "make b"]\n[start]\ncmd = "./run"',
      { build: 'make a && make b', start: './run' },
    ],
    [
      'render.yaml',
      'services:\n  - type: worker\n    startCommand: work\n  - type: web\n    buildCommand: make\n    startCommand: "./serve"\n',
      { build: 'make', start: './serve' },
    ],
    ['render.yaml', 'services:\n  - type: web\n    startCommand: a\n  - type: web\n', undefined],
    [
      'render.yaml',
      'services:\n  - type: web\n    rootDir: ./api\n    startCommand: a\n',
      { root: 'api' },
    ],
    [
      'render.yaml',
      'services:\n  - type: web\n    dockerfilePath: ./Dockerfile.web\n    envVars:\n      - key: PORT\n        value: 8080\n      - key: API_KEY\n        sync: false\n',
      { dockerfile: 'Dockerfile.web', port: 8080, variables: ['API_KEY'] },
    ],
    [
      'railway.json',
      '{"build":{"dockerfilePath":"deploy/Dockerfile"}}',
      { dockerfile: 'deploy/Dockerfile' },
    ],
    ['railway.json', '{"build":{"dockerfilePath":"../Dockerfile"}}', undefined],
    [
      'fly.toml',
      '[build]\ndockerfile = "ops/Dockerfile"\n[[services]]\ninternal_port = 3000',
      { dockerfile: 'ops/Dockerfile', port: 3000 },
    ],
    ['fly.toml', '[http_service]\ninternal_port = "web"', undefined],
    ['fly.toml', 'app = "a"\n[processes]\napp = "bin/server"', { start: 'bin/server' }],
    ['fly.toml', '[http_service]\ninternal_port = 8080', { port: 8080 }],
    ['railway.json', '{"deploy":{"startCommand":"vite --host"}}', undefined],
    ['railway.json', '{"deploy":{"startCommand":"NODE_ENV=development node a.js"}}', undefined],
    ['railway.json', '{"deploy":{"startCommand":["a"]}}', undefined],
    ['railway.json', '{"deploy":{"startCommand":"a\\nb"}}', undefined],
    ['railway.json', '{"deploy":', undefined],
    ['railway.toml', '[deploy', undefined],
    ['render.yaml', 'services: [', undefined],
    ['render.yaml', '- a', undefined],
  ];
  it.each(cases)('%s: %s', (file, text, said) => {
    const found = readPlatformFiles({ files: [file], texts: { [file]: text } });
    expect(found).toEqual(said === undefined ? [] : [{ file, ...said }]);
  });

  it('say nothing about a script of package.json that starts a development server', () => {
    const texts = {
      'package.json': '{"scripts":{"start":"nodemon a.js"}}',
      'railway.json': '{"deploy":{"startCommand":"npm run start"}}',
    };
    expect(readPlatformFiles({ files: Object.keys(texts), texts })).toEqual([]);
  });
});

describe('detection', () => {
  const railway = '{"build":{"buildCommand":"make"},"deploy":{"startCommand":"python -m web"}}';
  const detectFiles = (texts: Record<string, string>, settings = {}) =>
    detect({ files: Object.keys(texts), texts }, settings);

  it('follows a hint where nothing else says how to start', () => {
    const texts = { 'requirements.txt': 'colorama\n', 'railway.json': railway };
    expect(detectFiles(texts)).toMatchObject({
      plan: {
        runtime: 'python',
        evidence: expect.arrayContaining([
          expect.stringContaining('a start command in railway.json'),
          'Found a build command in railway.json',
        ]),
        steps: expect.arrayContaining([{ kind: 'build', label: 'make', argv: ['make'] }]),
        start: { argv: ['python', '-m', 'web'] },
      },
    });
  });

  it.each([
    ['a Procfile', { Procfile: 'web: ./own' }, {}],
    ['the settings', {}, { run: { command: './own' } }],
  ])('prefers %s', (_name, files, settings) => {
    expect(detectFiles({ ...files, 'railway.json': railway }, settings)).toMatchObject({
      plan: { start: { argv: ['./own'] } },
    });
  });

  it('shows a hint that it does not need', () => {
    const texts = {
      'package.json': '{"scripts":{"start":"node a.js"}}',
      'railway.json': railway,
    };
    expect(detectFiles(texts)).toMatchObject({
      plan: {
        start: { argv: ['node', 'a.js'] },
        evidence: expect.arrayContaining([
          'railway.json has another start command, for a different platform: python -m web',
        ]),
      },
    });
  });

  it('shows root directory, Dockerfile and port as hints', () => {
    const texts = {
      'package.json': '{"scripts":{"start":"node a.js"}}',
      'render.yaml': 'services:\n  - type: web\n    rootDir: web\n',
      'fly.toml': '[build]\ndockerfile = "ops/Dockerfile"\n[http_service]\ninternal_port = 8080',
    };
    const hints = [
      'render.yaml names the root directory web, for a different platform',
      'fly.toml names the Dockerfile ops/Dockerfile, for a different platform',
      'fly.toml names port 8080, for a different platform',
    ];
    expect(detectFiles(texts)).toMatchObject({
      plan: { start: { argv: ['node', 'a.js'] }, evidence: expect.arrayContaining(hints) },
    });
    const { 'package.json': _, ...others } = texts;
    expect(detectFiles(others)).toMatchObject({ evidence: expect.arrayContaining(hints) });
  });

  it('does not show a hint that names a script of package.json', () => {
    const texts = {
      'package.json': '{"scripts":{"start":"node a.js"}}',
      'railway.json': '{"deploy":{"startCommand":"npm start"}}',
    };
    expect(JSON.stringify(detectFiles(texts))).not.toContain('railway');
  });
});
