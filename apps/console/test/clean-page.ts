import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// Screens are loaded lazily; on a busy machine the first one takes some seconds.
configure({ asyncUtilTimeout: 30_000 });

/** All tests of a worker share one page. */
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
