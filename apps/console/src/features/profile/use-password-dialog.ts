import { useSearchParams } from 'react-router';

const PARAMETER = 'change-password';

/** Open when the address says so: a reset mail leads here (`ROUTES.newPassword`), and Back closes it. */
export function usePasswordDialog() {
  const [search, setSearch] = useSearchParams();
  return {
    isOpen: search.has(PARAMETER),
    open: () => setSearch({ [PARAMETER]: '' }),
    close: () => setSearch({}, { replace: true }),
  };
}
