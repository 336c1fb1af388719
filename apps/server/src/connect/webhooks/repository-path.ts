const SCP_FORM = /^[^/@]+@[^:/]+:(?!\/\/)(.+)$/;

/** `group/app` of every way to write its address; undefined for what names no repository. */
export function repositoryPath(url: string): string | undefined {
  const path = SCP_FORM.exec(url)?.[1] ?? (URL.canParse(url) ? decoded(new URL(url).pathname) : '');
  const name = path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  return name === '' ? undefined : name;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}
