import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const runFile = promisify(execFile);
const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];

/** Creates a git repository with the given files on its branch `main` and returns its URL. */
export async function makeRepository(
  folder: string,
  files: Record<string, string>,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  await git(folder, 'init', '--quiet', '--initial-branch=main');
  await commitFiles(folder, files);
  return `file://${folder}`;
}

/** Adds a branch at the last commit. */
export async function addBranch(folder: string, name: string): Promise<void> {
  await git(folder, 'branch', name);
}

async function commitFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  await git(folder, 'add', '--all');
  await git(folder, ...AUTHOR, 'commit', '--quiet', '--message', 'Change');
}

async function git(folder: string, ...args: string[]): Promise<void> {
  await runFile('git', ['-C', folder, ...args]);
}
