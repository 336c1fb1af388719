/** What keeps the server from starting, in one sentence that names the variable to mend. */
export class StartProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The last one is how a machine without a name server says that it does not know a name. */
const NO_ADDRESS = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN']);

/** The sentence for a listener that could not be opened; anything else is passed on. */
export function listenProblem(error: unknown, variable: string, port: number): Error {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') {
    return new StartProblem(`${variable} ${port} is taken by another program.`, { cause: error });
  }
  if (code === 'EACCES') {
    return new StartProblem(`${variable} ${port} may not be opened by this user.`, {
      cause: error,
    });
  }
  if (code !== undefined && NO_ADDRESS.has(code)) {
    return new StartProblem('LONGSHORE_HOST is not an address of this machine.', { cause: error });
  }
  return error as Error;
}
