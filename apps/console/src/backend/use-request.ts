import { useState } from 'react';

export type Request<Input, Outcome> = {
  isBusy: boolean;
  send(input: Input): Promise<Outcome>;
};

/** Something asked of the backend, and whether its answer is still awaited. */
export function useRequest<Input, Outcome>(
  ask: (input: Input) => Promise<Outcome>,
): Request<Input, Outcome> {
  const [isBusy, setBusy] = useState(false);
  async function send(input: Input): Promise<Outcome> {
    setBusy(true);
    try {
      return await ask(input);
    } finally {
      setBusy(false);
    }
  }
  return { isBusy, send };
}
