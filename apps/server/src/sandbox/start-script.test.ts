import { spawn } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startScript } from './start-script.ts';

const PRINT = 'process.stdout.write(JSON.stringify([process.argv.slice(1), process.env]))';

function scriptOf(argv: [string, ...string[]], env: Record<string, string>): string {
  return startScript({ argv, cwd: '/', env });
}

async function runScript(script: string): Promise<string> {
  const child = spawn('sh', [], { env: { PATH: '/usr/bin:/bin' } });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(script);
  await new Promise((resolve) => child.once('close', resolve));
  return output;
}

const text = fc
  .string({ unit: 'binary', maxLength: 40 })
  .map((value) => value.replaceAll('\0', '').toWellFormed());
const name = fc
  .stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/)
  .filter((candidate) => !/^(?:LD_|NODE|OPTIND|PATH|PWD|SSL|UV_)/.test(candidate));

it('passes every argument and variable on unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { maxLength: 4 }),
      fc.dictionary(name, text, { maxKeys: 4 }),
      async (args, env) => {
        const script = scriptOf([process.execPath, '-e', PRINT, '--', ...args], env);
        const [seenArgs, seenEnv] = JSON.parse(await runScript(script));
        expect(seenArgs).toEqual(args);
        expect(seenEnv).toMatchObject(env);
      },
    ),
    { numRuns: 20 },
  );
});

it.each([
  ['a quote', "it's; touch /nowhere/'x"],
  ['a line feed', 'one\ntwo'],
  ['a substitution', '$(id) `id` $HOME'],
  ['special bytes of the shell', '\u0081\u0088 ÁÈ'],
])('passes %s on unchanged', async (_, value) => {
  const script = scriptOf([process.execPath, '-e', PRINT, '--', value], { VALUE: value });
  const [args, env] = JSON.parse(await runScript(script));
  expect([args, env.VALUE]).toEqual([[value], value]);
});

it('starts nothing when it is cut off anywhere', async () => {
  const script = scriptOf(['echo', 'started'], { FIRST: 'a b', SECOND: "it's" });
  for (let length = 0; length < script.length - 1; length += 1) {
    expect(await runScript(script.slice(0, length))).toBe('');
  }
  expect(await runScript(script)).toBe('started\n');
});

it('sets variables whose names a shell cannot set', async () => {
  const env = { 'a-b': '1', 'x;id': "it's", OK: '3' };
  const [, seen] = JSON.parse(await runScript(scriptOf([process.execPath, '-e', PRINT], env)));
  expect(seen).toMatchObject(env);
});

it('starts the program in its folder', async () => {
  expect(await runScript(startScript({ argv: ['pwd'], cwd: '/usr/bin', env: {} }))).toBe(
    '/usr/bin\n',
  );
});

it('starts nothing when its folder does not exist', async () => {
  expect(await runScript(startScript({ argv: ['pwd'], cwd: '/nowhere', env: {} }))).toBe('');
});
