/** An address with further query parameters, sorted; its own query and its fragment stay. */
export function redirectAddress(target: string, parameters: Record<string, string>): string {
  const address = new URL(target);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  address.searchParams.sort();
  return address.href;
}
