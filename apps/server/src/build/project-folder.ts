import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildSettings } from '@longshore/contract';
import { EngineFailure } from '../engines/failure.ts';

/** The folder of the app in a checkout, for a program that sees the checkout at this path. */
export function projectFolder(checkout: string, { build }: { build?: BuildSettings }): string {
  return build?.rootDirectory === undefined ? checkout : join(checkout, build.rootDirectory);
}

/** Throws if the root directory of the app is missing, or leads through a link out of an untrusted checkout. */
export async function checkProjectFolder(
  checkout: string,
  { build }: { build?: BuildSettings },
): Promise<void> {
  let folder = checkout;
  for (const part of build?.rootDirectory?.split('/') ?? []) {
    folder = join(folder, part);
    const stats = await lstat(folder).catch(() => undefined);
    if (stats?.isDirectory()) continue;
    throw new EngineFailure('root-directory-missing', [
      `The repository has no folder ${build?.rootDirectory}`,
    ]);
  }
}
