import { expect, it } from 'vitest';
import type { BuildPlan } from './build-plan.ts';
import { dockerfileOf } from './dockerfile-of.ts';

const plan: BuildPlan = {
  runtime: 'node',
  evidence: [],
  steps: [],
  start: { kind: 'static', folders: ['dist', '.'] },
};

it('prints a plan with its steps and its start, each command as an array', () => {
  const text = dockerfileOf(
    {
      ...plan,
      steps: [{ kind: 'install', label: 'npm ci', argv: ['npm', 'ci'] }],
      start: { kind: 'command', argv: ['node', 'a "b".js'], env: { npm_package_name: 'shop' } },
    },
    'node:24-slim',
  );
  expect(text.split('\n')).toEqual([
    'FROM node:24-slim',
    'WORKDIR /app',
    'COPY . .',
    'RUN ["npm","ci"]',
    'ENV NODE_ENV=production',
    'ENV npm_package_name="shop"',
    'ENV PATH=/app/node_modules/.bin:$PATH',
    'CMD ["node","a \\"b\\".js"]',
    '',
  ]);
});

it('serves a site with our own server', () => {
  expect(dockerfileOf(plan, 'node')).toContain(
    'CMD ["node",".longshore/static-server.ts","dist,."]\n',
  );
});

it.each([
  ['a\nRUN id', '"a RUN id"'],
  ['$HOME', '"\\$HOME"'],
  ['a "b" \\', '"a \\"b\\" \\\\"'],
])('keeps the name %j within its line', (name, quoted) => {
  const start = { kind: 'command', argv: ['node'], env: { npm_package_name: name } } as const;
  expect(dockerfileOf({ ...plan, start: { ...start, argv: ['node'] } }, 'node')).toContain(
    `ENV npm_package_name=${quoted}\n`,
  );
});
