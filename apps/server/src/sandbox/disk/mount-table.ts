import { readFileSync } from 'node:fs';

/** The mount points of the server's mount namespace, in the order of mounting. */
export function listMountPoints(): string[] {
  return parseMountPoints(readFileSync('/proc/self/mountinfo', 'utf8'));
}

/** Reads the fifth field of each line (proc(5)). The kernel escapes only white space, `#` and the backslash. */
export function parseMountPoints(mountInfo: string): string[] {
  return mountInfo
    .split('\n')
    .flatMap((line) => line.split(' ')[4] ?? [])
    .map((field) =>
      field.replace(/\\([0-7]{3})/g, (_, octal: string) =>
        String.fromCharCode(Number.parseInt(octal, 8)),
      ),
    );
}
