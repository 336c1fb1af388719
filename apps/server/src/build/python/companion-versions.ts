/**
 * Packages whose old versions accept every newer version of a package that they use, but fail with it when they are
 * imported. Pins without a lock file leave that version open.
 */
const COMPANIONS: {
  name: string;
  below: readonly [major: number, minor: number];
  fit: string[];
}[] = [
  // They import names that were removed: `escape` of Jinja2, `json` of itsdangerous, `BaseResponse` of Werkzeug.
  { name: 'flask', below: [2, 0], fit: ['Jinja2<3.1', 'itsdangerous<2.1', 'Werkzeug<2.1'] },
  // `soft_unicode` of MarkupSafe.
  { name: 'flask', below: [2, 0], fit: ['MarkupSafe<2.1'] },
  { name: 'jinja2', below: [3, 0], fit: ['MarkupSafe<2.1'] },
  // `url_quote` of Werkzeug.
  { name: 'flask', below: [2, 3], fit: ['Werkzeug<3'] },
  { name: 'flask-sqlalchemy', below: [3, 0], fit: ['SQLAlchemy<2'] },
  // `pkg_resources`, which Python 3.12 no longer comes with.
  { name: 'gunicorn', below: [21, 0], fit: ['setuptools<81'] },
  // `altair.vegalite.v4`.
  { name: 'streamlit', below: [1, 21], fit: ['altair<5'] },
];

/** What to install in addition to a list of packages, so that its pinned versions work. */
export function companionVersions(list: string): string[] {
  const lines = list.split('\n').map((line) => line.replace(/#.*/, '').trim());
  const found = COMPANIONS.filter(({ name, below }) =>
    lines.some((line) => isBelow(pinnedVersion(line, name), below)),
  ).flatMap(({ fit }) => fit);
  const chosen = new Map<string, string>();
  for (const specifier of found) {
    const [name = ''] = specifier.split('<');
    const isDecided = lines.some(
      (line) => nameOf(line) === name.toLowerCase() && /[=<>~@]/.test(line),
    );
    if (!isDecided && !chosen.has(name)) chosen.set(name, specifier);
  }
  return [...chosen.values()];
}

function pinnedVersion(line: string, name: string): [major: number, minor: number] | undefined {
  if (nameOf(line) !== name) return undefined;
  const [, major, minor = '0'] = /[=~]=\s*(\d+)(?:\.(\d+))?/.exec(line) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor)];
}

function isBelow(
  version: readonly [number, number] | undefined,
  [major, minor]: readonly [number, number],
): boolean {
  if (version === undefined) return false;
  return version[0] < major || (version[0] === major && version[1] < minor);
}

/** As package indexes compare names. */
function nameOf(line: string): string {
  return (/^[\w.-]+/.exec(line)?.[0] ?? '').replace(/[._-]+/g, '-').toLowerCase();
}
