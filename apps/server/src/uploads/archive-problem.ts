/** Why an archive is refused, for the user. */
export class ArchiveProblem extends Error {
  readonly isTooLarge: boolean;

  constructor(message: string, { isTooLarge = false, ...options }: ArchiveProblemOptions = {}) {
    super(message, options);
    this.name = 'ArchiveProblem';
    this.isTooLarge = isTooLarge;
  }
}

type ArchiveProblemOptions = ErrorOptions & { isTooLarge?: boolean };

/** A name from an archive, for a message of one line. */
export function shownName(path: string): string {
  const visible = path.replaceAll(/\p{C}/gu, '?');
  return visible.length > MAX_SHOWN ? `${visible.slice(0, MAX_SHOWN)}…` : visible;
}

const MAX_SHOWN = 100;
