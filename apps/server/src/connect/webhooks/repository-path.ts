const SCP_FORM = /^[^/@]+@[^:/]+:(?!\/\/)(.+)$/;

/** The path `group/app` of a repository URL in any form; undefined if it has none. */
export function repositoryPath(url: string): string | undefined {
  const path = SCP_FORM.exec(url)?.[1] ?? (URL.canParse(url) ? decode(new URL(url).pathname) : '');
  const name = path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  return name === '' ? undefined : name;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}
