import type { Identity } from './identity.ts';

/** A program and its arguments. User text can only ever be one whole argument: no shell reads it. */
export type Command = {
  argv: readonly [program: string, ...args: string[]];
  cwd: string;
  /** The whole environment of the child; nothing is inherited. */
  env: Record<string, string>;
  identity?: Identity | undefined;
  /** Told the pid as soon as there is one. */
  onSpawned?: ((pid: number) => void) | undefined;
};
