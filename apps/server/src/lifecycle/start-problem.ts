/** Why the server cannot start, in one sentence that names the variable to change. */
export class StartProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** EAI_AGAIN: a machine without a name server cannot resolve the host name. */
const ADDRESS_CODES = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN']);

/** The problem of a listener that could not be opened. Any other error is returned as it is. */
export function listenProblem(error: unknown, variable: string, port: number): Error {
  const code = (error as NodeJS.ErrnoException).code;
  const options = { cause: error };
  if (code === 'EADDRINUSE') {
    return new StartProblem(`${variable} ${port} is already in use by another program.`, options);
  }
  if (code === 'EACCES') {
    return new StartProblem(
      `${variable} ${port} needs more privileges than this user has.`,
      options,
    );
  }
  if (code !== undefined && ADDRESS_CODES.has(code)) {
    return new StartProblem('LONGSHORE_HOST is not an address of this machine.', options);
  }
  return error as Error;
}
