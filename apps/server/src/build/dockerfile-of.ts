import type { BuildPlan } from './build-plan.ts';

/** Where our own server of static files lies in a build context. */
export const STATIC_SERVER_FILE = '.longshore/static-server.ts';

const FOLDER = '/app';

/** The plan as a Dockerfile, for a checkout that brings none. Every command is an array, so that no shell reads it. */
export function dockerfileOf({ steps, start }: BuildPlan, nodeImage: string): string {
  const lines = [
    `FROM ${nodeImage}`,
    `WORKDIR ${FOLDER}`,
    'COPY . .',
    ...steps.map(({ argv }) => `RUN ${JSON.stringify(argv)}`),
    'ENV NODE_ENV=production',
    ...startLines(start),
  ];
  return `${lines.join('\n')}\n`;
}

function startLines(start: BuildPlan['start']): string[] {
  switch (start.kind) {
    case 'command':
      return [
        ...Object.entries(start.env).map(([name, value]) => `ENV ${name}=${quoted(value)}`),
        `ENV PATH=${FOLDER}/node_modules/.bin:$PATH`,
        `CMD ${JSON.stringify(start.argv)}`,
      ];
    case 'static':
      return [`CMD ${JSON.stringify(['node', STATIC_SERVER_FILE, start.folders.join(',')])}`];
  }
}

/** As one word on one line, in which nothing stands for anything else. */
function quoted(text: string): string {
  return JSON.stringify(text.replace(/\p{Cc}/gu, ' ')).replaceAll('$', '\\$');
}
