// Runs before the first paint, so that a stored theme never flashes. Keys and defaults: spec §3, Local preference.
(() => {
  const root = document.documentElement;
  const stored = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const theme = stored('theme');
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = ['light', 'dark', 'amber'].includes(theme)
    ? theme
    : isDark
      ? 'dark'
      : 'light';
  root.dataset.accent = stored('accentColor') ?? 'amber';
})();
