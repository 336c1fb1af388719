import { createContext, type ReactNode, useContext } from 'react';
import type { Place } from './place.ts';

const PlaceContext = createContext<Place | undefined>(undefined);

export function PlaceProvider({ place, children }: { place: Place; children: ReactNode }) {
  return <PlaceContext value={place}>{children}</PlaceContext>;
}

export function usePlace(): Place {
  const place = useContext(PlaceContext);
  if (place === undefined) throw new Error('PlaceProvider is missing');
  return place;
}
