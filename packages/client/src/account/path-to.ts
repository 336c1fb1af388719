/** A path of the contract with its one parameter filled in. */
export function pathTo(path: string, parameter: string): string {
  return path.replace(/:\w+/, encodeURIComponent(parameter));
}
