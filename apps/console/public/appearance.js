// Runs before the first paint, so that the page never flashes in the wrong theme. Keys and defaults: spec-map 3.9.
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
