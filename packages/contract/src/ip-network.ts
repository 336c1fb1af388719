const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const IPV6_CHARACTERS = /^[0-9a-f:.]+$/i;
const PREFIX = /^(?:0|[1-9]\d{0,2})$/;
const MAPPED_IPV4 = /^::ffff:/i;

/** Accepts addresses and networks: 203.0.113.7, 203.0.113.0/24, 2001:db8::/32. */
export function networkProblem(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.trim().split('/');
  const bits = addressBits(address);
  if (bits === undefined || rest.length > 0) {
    return 'Must be an address or a network, such as 203.0.113.7 or 203.0.113.0/24';
  }
  if (MAPPED_IPV4.test(canonicalAddress(address))) return 'Enter the IPv4 address';
  const isPrefix = prefix === undefined || (PREFIX.test(prefix) && Number(prefix) <= bits);
  return isPrefix ? undefined : `The number after the slash must be between 0 and ${bits}`;
}

/** One spelling for each network. Expects one without problems. */
export function canonicalNetwork(text: string): string {
  const [address = '', prefix] = text.trim().split('/');
  const canonical = canonicalAddress(address);
  return prefix === undefined ? canonical : `${canonical}/${prefix}`;
}

/** How many bits an address has; undefined for other texts. */
function addressBits(address: string): 32 | 128 | undefined {
  if (IPV4.test(address)) return 32;
  return IPV6_CHARACTERS.test(address) && URL.canParse(`http://[${address}]`) ? 128 : undefined;
}

function canonicalAddress(address: string): string {
  return address.includes(':') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
