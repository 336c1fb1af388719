/** Only a hint; the rule is a minimum of three characters (spec-map 5.1.2). */
export type Strength = 'weak' | 'fair' | 'strong';

const CLASSES = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/];

export function passwordStrength(password: string): Strength | undefined {
  if (password === '') return undefined;
  const classCount = CLASSES.filter((pattern) => pattern.test(password)).length;
  if (password.length >= 16 || (password.length >= 12 && classCount >= 3)) return 'strong';
  return password.length >= 10 || (password.length >= 8 && classCount >= 3) ? 'fair' : 'weak';
}
