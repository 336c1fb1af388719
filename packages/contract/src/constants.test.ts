import { describe, expect, it } from 'vitest';
import * as constants from './constants.ts';

describe('spec-map group 1', () => {
  it('has the tagline', () => {
    expect(constants.TAGLINE).toBe('Simplified Container Deployment!');
  });
});

describe('spec-map 9.1', () => {
  it.each([
    ['Minimum password length', [constants.PASSWORD_MIN_LENGTH], [3]],
    [
      'Port range / default',
      [constants.PORT_MIN, constants.PORT_MAX, constants.DEFAULT_PORT],
      [1, 65535, 80],
    ],
    ['Default source ref', [constants.DEFAULT_SOURCE_REF], ['main']],
    ['Resource tier', [constants.RESOURCE_TIER], ['t1']],
    ['Update policy', [constants.UPDATE_POLICY], ['Always']],
    ['Default container image', [constants.DEFAULT_CONTAINER_IMAGE], ['nginx:latest']],
    ['Chart versions (project, app)', [constants.CHART_VERSION], ['0.0']],
    ['Instances', [constants.HIBERNATED_INSTANCES, constants.DEFAULT_INSTANCES], [0, 1]],
    ['Log tail', [constants.LOG_TAIL_LINES], [100]],
    ['Card grid', [constants.GRID_COLUMNS], [3]],
    ['Loading skeletons', [constants.LIST_SKELETONS, constants.DETAIL_SKELETONS], [3, 1]],
    ['Header scroll threshold', [constants.HEADER_SCROLL_THRESHOLD_PX], [10]],
    ['Avatar colours', [constants.AVATAR_COLOURS], [4]],
    ['Theme options', constants.THEMES, ['light', 'dark', 'amber', 'system']],
    ['Accent default', [constants.DEFAULT_ACCENT, constants.ACCENTS.length], ['amber', 9]],
    ['Submenu hover delay', [constants.SUBMENU_HOVER_DELAY_MS], [100]],
    ['Default local backend port', [constants.LOCAL_BACKEND_PORT], [1337]],
  ])('“%s” is %j', (_row, actual, specified) => {
    expect(actual).toEqual(specified);
  });
});

describe('spec-map 9.2 and 9.3', () => {
  it.each([
    ['token refresh: tick 1 s', [constants.REFRESH_TICK_MS], [1_000]],
    [
      'less than min(60 s, 50% of token lifetime) plus 1 s remains',
      [
        constants.REFRESH_MARGIN_MAX_SECONDS,
        constants.REFRESH_MARGIN_SHARE,
        constants.REFRESH_MARGIN_EXTRA_SECONDS,
      ],
      [60, 0.5, 1],
    ],
    [
      'at most 5 retries, with the wait 5 s doubled each attempt',
      [constants.MAX_REFRESH_RETRIES, constants.RETRY_BASE_MS],
      [5, 5_000],
    ],
    ['token import: at most 5 retries', [constants.MAX_IMPORT_RETRIES], [5]],
    ['default access token lifetime: 15 s', [constants.INITIAL_TOKEN_LIFETIME_SECONDS], [15]],
    ['token validity is polled every 100 ms', [constants.TOKEN_VALIDITY_POLL_MS], [100]],
    ['readiness time-out: 15 s', [constants.READINESS_TIMEOUT_MS], [15_000]],
    ['refresh token storage: cookie for 30 days', [constants.REFRESH_COOKIE_DAYS], [30]],
    [
      'websocket: timeout 30000 ms, inactivity timeout 30000 ms',
      [constants.SOCKET_TIMEOUT_MS, constants.SOCKET_INACTIVITY_MS],
      [30_000, 30_000],
    ],
    [
      'reconnect backoff starts at 100 ms and caps at 10000 ms, minimum timeout 1000 ms',
      [
        constants.SOCKET_BACKOFF_MIN_MS,
        constants.SOCKET_BACKOFF_MAX_MS,
        constants.SOCKET_MIN_TIMEOUT_MS,
      ],
      [100, 10_000, 1_000],
    ],
    ['auto domain: the first 12 hex characters', [constants.AUTO_DOMAIN_HEX_LENGTH], [12]],
    [
      'toasts: visible 5000 ms, swipe 50 px, F8, one at a time',
      [
        constants.TOAST_DURATION_MS,
        constants.TOAST_SWIPE_THRESHOLD_PX,
        constants.TOAST_HOTKEY,
        constants.TOAST_LIMIT,
      ],
      [5_000, 50, 'F8', 1],
    ],
  ])('“%s”', (_sentence, actual, specified) => {
    expect(actual).toEqual(specified);
  });
});

describe('spec-map group 3', () => {
  it('has the value for the automatic domain', () => {
    expect(constants.AUTO_DOMAIN).toBe('auto');
  });

  it('lists the accents in order', () => {
    expect(constants.ACCENTS).toEqual([
      'amber',
      'blue',
      'green',
      'purple',
      'red',
      'orange',
      'teal',
      'pink',
      'indigo',
    ]);
  });
});
