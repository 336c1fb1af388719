import { useCallback, useState } from 'react';
import { useLocation } from 'react-router';

/** A state that lasts as long as the page: what lies over a page goes with it, by Back too. */
export function usePageState<State>(initial: State): [State, (state: State) => void] {
  const { key } = useLocation();
  const [held, setHeld] = useState({ key, state: initial });
  const set = useCallback((state: State) => setHeld({ key, state }), [key]);
  return [held.key === key ? held.state : initial, set];
}
