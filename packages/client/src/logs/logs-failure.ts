/** The sentences of spec §8, and whether trying again could help. */
export class LogsFailure extends Error {
  override name = 'LogsFailure';
  readonly reason: 'no-token' | 'refused' | 'token-refused' | 'unavailable';

  constructor(reason: LogsFailure['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

export function noToken(): LogsFailure {
  return new LogsFailure('no-token', 'No access token available');
}

export function fetchFailed(status: number): LogsFailure {
  return new LogsFailure(reasonOf(status), `Failed to fetch logs: ${status}`);
}

export function noStream(): LogsFailure {
  return new LogsFailure('unavailable', 'Stream not available');
}

function reasonOf(status: number): LogsFailure['reason'] {
  if (status === 401) return 'token-refused';
  const isTemporary = status >= 500 || status === 408 || status === 429;
  return isTemporary ? 'unavailable' : 'refused';
}
