import { useState } from 'react';

export type Request<Input, Result> = {
  isBusy: boolean;
  send(input: Input): Promise<Result>;
};

/** A request to the server, and whether it is still running. */
export function useRequest<Input, Result>(
  request: (input: Input) => Promise<Result>,
): Request<Input, Result> {
  const [isBusy, setBusy] = useState(false);
  async function send(input: Input): Promise<Result> {
    setBusy(true);
    try {
      return await request(input);
    } finally {
      setBusy(false);
    }
  }
  return { isBusy, send };
}
