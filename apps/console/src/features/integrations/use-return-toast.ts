import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { returnToast } from './model/return-toast.ts';

/** Says once how the visit at the provider ended, and takes it out of the address. */
export function useReturnToast(): void {
  const [search, setSearch] = useSearchParams();
  const toast = useToast();
  useEffect(() => {
    const wish = returnToast(search);
    if (wish === undefined) return;
    toast(wish);
    setSearch({}, { replace: true });
  }, [search, setSearch, toast]);
}
