import { expect, it } from 'vitest';
import { aDelivery } from '../../../../test/resources.ts';
import { deliveryTitle } from './delivery-title.ts';

const commit = '3f2a91c4'.padEnd(40, '0');

it.each([
  [{ ref: 'refs/heads/main', commit }, 'push main 3f2a91c'],
  [{ ref: 'refs/tags/v1/rc', commit }, 'push v1/rc 3f2a91c'],
  [{ ref: 'main', commit: null }, 'push main'],
  [{ event: 'ping', ref: null, commit: null }, 'ping'],
])('the title of the delivery %j is %s', (delivery, title) => {
  expect(deliveryTitle(aDelivery(delivery))).toBe(title);
});
