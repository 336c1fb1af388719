import { describe, expect, it } from 'vitest';
import { parsePhoneNumber } from './phone-number.ts';

describe('parsePhoneNumber', () => {
  it.each([
    ['+41791234567', '+41791234567'],
    ['+41 79 123 45 67', '+41791234567'],
    ['0041 79 123 45 67', '+41791234567'],
    [' +1 (555) 010-9999 ', '+15550109999'],
    ['+49.30/123456', '+4930123456'],
    ['\u202a+1\u00a0555\u2011010\u20119999\u202c', '+15550109999'],
    ['+1234567', '+1234567'],
    ['+123456789012345', '+123456789012345'],
  ])('parses %j as %s', (text, phoneNumber) => {
    expect(parsePhoneNumber(text)).toBe(phoneNumber);
  });

  it.each([
    [''],
    ['+'],
    ['079 123 45 67'],
    ['41791234567'],
    ['+0791234567'],
    ['+123456'],
    ['+1234567890123456'],
    ['+1555CALLNOW'],
    ['++15550109999'],
    ['+1555010\n9999;+1'],
    ['+١٢٣٤٥٦٧٨'],
  ])('rejects %j', (text) => {
    expect(parsePhoneNumber(text)).toBeUndefined();
  });
});
