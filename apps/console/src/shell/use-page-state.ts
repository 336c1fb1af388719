import { useCallback, useState } from 'react';
import { useLocation } from 'react-router';

/** State that is reset on every navigation, including Back. For menus and overlays. */
export function usePageState<State>(initial: State): [State, (state: State) => void] {
  const { key } = useLocation();
  const [stored, setStored] = useState({ key, state: initial });
  const set = useCallback((state: State) => setStored({ key, state }), [key]);
  return [stored.key === key ? stored.state : initial, set];
}
