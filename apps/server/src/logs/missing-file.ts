/** For a `catch`: returns `value` if the file does not exist, and rethrows any other error. */
export function ifMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return value;
    throw error;
  };
}
