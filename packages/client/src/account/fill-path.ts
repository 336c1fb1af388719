/** Replaces the only parameter of a contract path, for example `/user/sessions/:id`. */
export function fillPath(path: string, parameter: string): string {
  return path.replace(/:\w+/, encodeURIComponent(parameter));
}
