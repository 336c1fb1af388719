import type { Identity } from './identity.ts';

/** A program and its arguments. No shell is involved, so user text can only ever be one whole argument. */
export type Command = {
  argv: readonly [program: string, ...args: string[]];
  cwd: string;
  /** The whole environment of the child; nothing is inherited. */
  env: Record<string, string>;
  identity?: Identity | undefined;
  /** Open files of this process that the program gets from descriptor 3 on. */
  inheritedFds?: number[] | undefined;
  /** Called with the pid right after the spawn. */
  onSpawned?: ((pid: number) => void) | undefined;
};
