type Address = { host: string; path: string };

/** Host and path of a request's address. It was put into its normal form before, so it need not be parsed again. */
export function addressOf(url: string): Address {
  const hostAt = url.indexOf('//') + 2;
  const pathAt = url.indexOf('/', hostAt);
  const queryAt = url.slice(pathAt).search(/[?#]/);
  return {
    host: url.slice(hostAt, pathAt),
    path: queryAt === -1 ? url.slice(pathAt) : url.slice(pathAt, pathAt + queryAt),
  };
}
