/** Business constants and limits (spec-map group 9). */
export const TAGLINE = 'Simplified Container Deployment!';

export const PASSWORD_MIN_LENGTH = 3;
export const PORT_MIN = 1;
export const PORT_MAX = 65_535;
export const DEFAULT_PORT = 80;
export const DEFAULT_SOURCE_REF = 'main';
export const RESOURCE_TIER = 't1';
export const UPDATE_POLICY = 'Always';
export const DEFAULT_CONTAINER_IMAGE = 'nginx:latest';
export const CHART_VERSION = '0.0';
export const HIBERNATED_INSTANCES = 0;
export const DEFAULT_INSTANCES = 1;
export const LOG_TAIL_LINES = 100;
export const GRID_COLUMNS = 3;
export const LIST_SKELETONS = 3;
export const DETAIL_SKELETONS = 1;
export const HEADER_SCROLL_THRESHOLD_PX = 10;
export const AVATAR_COLOURS = 4;
export const SUBMENU_HOVER_DELAY_MS = 100;
export const LOCAL_BACKEND_PORT = 1337;

export const THEMES = ['light', 'dark', 'amber', 'system'] as const;
export type Theme = (typeof THEMES)[number];

export const ACCENTS = [
  'amber',
  'blue',
  'green',
  'purple',
  'red',
  'orange',
  'teal',
  'pink',
  'indigo',
] as const;
export type Accent = (typeof ACCENTS)[number];
export const DEFAULT_ACCENT: Accent = 'amber';

export const TOAST_DURATION_MS = 5_000;
export const TOAST_SWIPE_THRESHOLD_PX = 50;
export const TOAST_HOTKEY = 'F8';
export const TOAST_LIMIT = 1;

/** Token refresh timer. */
export const REFRESH_TICK_MS = 1_000;
export const REFRESH_MARGIN_MAX_SECONDS = 60;
export const REFRESH_MARGIN_SHARE = 0.5;
export const REFRESH_MARGIN_EXTRA_SECONDS = 1;
export const MAX_REFRESH_RETRIES = 5;
export const RETRY_BASE_MS = 5_000;
export const MAX_IMPORT_RETRIES = 5;
export const INITIAL_TOKEN_LIFETIME_SECONDS = 15;
export const TOKEN_VALIDITY_POLL_MS = 100;
export const READINESS_TIMEOUT_MS = 15_000;
export const REFRESH_COOKIE_DAYS = 30;

/** Websocket of the live queries. */
export const SOCKET_TIMEOUT_MS = 30_000;
export const SOCKET_INACTIVITY_MS = 30_000;
export const SOCKET_BACKOFF_MIN_MS = 100;
export const SOCKET_BACKOFF_MAX_MS = 10_000;
export const SOCKET_MIN_TIMEOUT_MS = 1_000;

export const AUTO_DOMAIN = 'auto';
export const AUTO_DOMAIN_HEX_LENGTH = 12;
