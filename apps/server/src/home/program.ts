/** A program, or a folder of programs, that users other than the server's have to run. */
export type Program = {
  /** Names its copy, together with the version. */
  name: string;
  version: string;
  /** A file or a folder. */
  path: string;
  /** Files in it that speak for all the others, relative to `path`; none when it is a file itself. */
  samples: readonly string[];
};
