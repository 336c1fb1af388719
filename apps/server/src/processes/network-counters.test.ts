import { expect, it } from 'vitest';
import { parseNetworkDevices, sumOfDevices } from './network-counters.ts';

const HEAD = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
`;
const DEVICES = `    lo:     500       5    0    0    0     0          0         0      500       5    0    0    0     0       0          0
  eth0: 1100      10    0    0    0     0          0         0     2200      10    0    0    0     0       0          0
  eth1:99999999999       1    0    0    0     0          0         0       30       1    0    0    0     0       0          0
`;

it('reads each device', () => {
  expect([...parseNetworkDevices(HEAD + DEVICES)]).toEqual([
    ['lo', { receivedBytes: 500, sentBytes: 500 }],
    ['eth0', { receivedBytes: 1100, sentBytes: 2200 }],
    ['eth1', { receivedBytes: 99999999999, sentBytes: 30 }],
  ]);
});

it('adds up all devices except the loopback one', () => {
  expect(sumOfDevices(parseNetworkDevices(HEAD + DEVICES))).toEqual({
    receivedBytes: 100000001099,
    sentBytes: 2230,
  });
});

it.each(['', HEAD, `${HEAD}    lo: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0\n`])(
  'has no sum without a device',
  (text) => {
    expect(sumOfDevices(parseNetworkDevices(text))).toBeUndefined();
  },
);
