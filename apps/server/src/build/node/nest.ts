import type { FrameworkRule } from './framework.ts';

export const nest: FrameworkRule = ({ manifest }) => {
  if (manifest.dependencies['@nestjs/core'] === undefined) return undefined;
  return {
    name: 'NestJS',
    build: ['nest', 'build'],
    start: { kind: 'command', argv: ['node', 'dist/main'] },
  };
};
