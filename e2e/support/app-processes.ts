import { readdir, readFile } from 'node:fs/promises';

/**
 * The programs of an app and its builds, found by the environment variable that the engine sets. `env`: other variables that
 * they have.
 */
export async function programsOf(
  appId: string,
  env: Record<string, string> = {},
): Promise<number[]> {
  const expected = Object.entries({ ...env, LONGSHORE_APP_ID: appId }).map((it) => it.join('='));
  return await processesWith('environ', (text) => {
    const variables = text.split('\0');
    return expected.every((it) => variables.includes(it));
  });
}

/** All processes of an app and its builds: the programs, and those that isolate them in its control groups. */
export async function processesOf(appId: string): Promise<number[]> {
  const others = await processesWith('cgroup', (text) => text.includes(appId));
  return [...new Set([...(await programsOf(appId)), ...others])].toSorted((a, b) => a - b);
}

/** The processes that run a script with Node and have a variable, in containers too. */
export async function runningScripts(
  script: string,
  [name, value]: [string, string],
): Promise<number[]> {
  const pids = await processesWith('environ', (text) =>
    text.split('\0').includes(`${name}=${value}`),
  );
  const running = new Set(await processesWith('cmdline', (text) => text.split('\0')[1] === script));
  return pids.filter((pid) => running.has(pid));
}

async function processesWith(
  file: 'environ' | 'cgroup' | 'cmdline',
  isFound: (text: string) => boolean,
): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const texts = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, at) => isFound(texts[at] ?? '')).map(Number);
}
