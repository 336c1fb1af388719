/** For a `catch`: a file that is not there counts as `value`; any other trouble goes on. */
export function absent<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return value;
    throw error;
  };
}
