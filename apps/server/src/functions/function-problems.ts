import { Problem } from '../http/problem.ts';

export function functionNotFound(): Problem {
  return new Problem(404, 'function-not-found', 'There is no function at this path');
}

export function methodNotAllowed(methods: string[]): Problem {
  const message = `This function only supports ${methods.join(', ')}`;
  return new Problem(405, 'method-not-allowed', message);
}

/** The cause is logged for the operator, and not sent to the caller. */
export function functionFailed(cause?: unknown): Problem {
  return new Problem(500, 'function-failed', 'The function failed', { cause });
}

/** Its code has not run. */
export class FunctionUnusable extends Problem {
  constructor(cause?: unknown) {
    super(500, 'function-unusable', 'The function could not be loaded', { cause });
  }
}

export function functionStopped(cause?: unknown): Problem {
  return new Problem(500, 'function-stopped', 'The function stopped before it responded', {
    cause,
  });
}

export function functionTimedOut(timeoutMs: number): Problem {
  const message = `The function took longer than ${timeoutMs / 1_000} seconds`;
  return new Problem(504, 'function-overdue', message);
}

export function functionsBusy(): Problem {
  return new Problem(503, 'functions-busy', 'Too many functions are running. Try again later.');
}
