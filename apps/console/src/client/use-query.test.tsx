import type { RequestResult } from '@longshore/client';
import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useQuery } from './use-query.ts';

it('shows the error of a load that throws, and loads again', async () => {
  let load = (): Promise<RequestResult<string>> => Promise.reject(new Error('Connection reset'));
  const stable = () => load();
  const { result } = renderHook(() => useQuery(stable));
  expect(result.current.state).toEqual({ kind: 'loading' });
  await waitFor(() =>
    expect(result.current.state).toEqual({ kind: 'failed', message: 'Connection reset' }),
  );
  expect(result.current.isFetching).toBe(false);
  load = async () => ({ ok: true, data: 'deliveries' });
  act(() => result.current.reload());
  await waitFor(() => expect(result.current.state).toEqual({ kind: 'ready', data: 'deliveries' }));
});
