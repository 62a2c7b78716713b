/** The address under which a client is counted, and the values of TRUST_PROXY. */

import { describe, expect, test } from 'vitest';
import { type Config, ConfigError, loadConfig } from '../../src/config.js';
import { clientAddress, toTrust } from '../../src/http/client-address.js';

const trustProxy = (text: string): Config['trustProxy'] => loadConfig({ TRUST_PROXY: text }).trustProxy;

function counted(given: { trust?: string; peer?: string; forwardedFor?: string }): string {
  const { trust = 'false', peer = '10.0.0.1', forwardedFor = '' } = given;
  return clientAddress({ peer, forwardedFor, isTrusted: toTrust(trustProxy(trust)) });
}

describe('one address has one spelling', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:C000:0207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::192.0.2.7', '2001:db8:0:0::/64'],
    ['1:2:3:4:5:6:192.0.2.7', '1:2:3:4::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['::ffff:0:192.0.2.7', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['fe80::1%1', 'fe80:0:0:0::/64'],
  ])('%s is counted as %s, as a peer and as a forwarded address', (address, expected) => {
    expect(counted({ peer: address })).toBe(expected);
    expect(counted({ trust: 'true', forwardedFor: address })).toBe(expected);
    expect(counted({ trust: '1', forwardedFor: `203.0.113.9,  ${address} ` })).toBe(expected);
  });

  test.each([
    ['192.0.2.7:4711', '192.0.2.7'],
    ['[2001:db8::1]:4711', '2001:db8:0:0::/64'],
    ['[2001:db8::1]', '2001:db8:0:0::/64'],
    ['[::ffff:192.0.2.7]:4711', '192.0.2.7'],
  ])('the port that some proxies add does not count: %s', (forwardedFor, expected) => {
    expect(counted({ trust: 'true', forwardedFor })).toBe(expected);
  });

  test('a closed connection has no address, and is still counted', () => {
    const isTrusted = toTrust(true);
    expect(clientAddress({ peer: undefined, forwardedFor: '192.0.2.7', isTrusted })).toBe('unknown');
  });
});

describe('a value that is not an address counts as the peer', () => {
  test.each([
    '',
    ' ',
    ',',
    'unknown',
    'x'.repeat(12_000),
    '1'.repeat(12_000),
    ':'.repeat(12_000),
    `::1%${'x'.repeat(12_000)}x y`,
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '256.1.1.1',
    '0x7f.0.0.1',
    '1.2.3.4/8',
    '1.2.3.4:port',
    '1::2::3',
    '::ffff:1.2.3.256',
    '[1.2.3.4',
    '12345::',
    'localhost',
    '１.２.３.４',
  ])('%s', (text) => {
    for (const trust of ['true', '1', '10.0.0.0/8'])
      expect(counted({ trust, forwardedFor: text })).toMatch(/^(10\.0\.0\.1|0:0:0:0::\/64)$/);
  });
});

describe('the peers whose header is trusted', () => {
  const header = '198.51.100.66, 192.0.2.7, 10.0.0.2';
  test.each([
    { trust: 'false', expected: '10.0.0.1', why: 'that of no proxy' },
    { trust: '0', expected: '10.0.0.1', why: 'that of no proxy' },
    { trust: '1', expected: '10.0.0.2', why: 'what the first proxy saw' },
    { trust: '2', expected: '192.0.2.7', why: 'what the second proxy saw' },
    { trust: '3', expected: '198.51.100.66', why: 'what the third proxy saw' },
    { trust: '9', expected: '198.51.100.66', why: 'there are fewer proxies than that' },
    { trust: 'true', expected: '198.51.100.66', why: 'what the client itself may have sent' },
    { trust: '10.0.0.1', expected: '10.0.0.2', why: 'the peer is the only proxy' },
    { trust: '10.0.0.1, 10.0.0.2', expected: '192.0.2.7', why: 'both proxies are listed' },
    { trust: '10.0.0.0/30', expected: '192.0.2.7', why: 'both proxies are in the network' },
    { trust: '::ffff:10.0.0.0/104', expected: '192.0.2.7', why: 'an IPv4 network, mapped into IPv6' },
    { trust: 'UniqueLocal', expected: '192.0.2.7', why: 'private addresses have a name' },
    { trust: '10.0.0.0/8,192.0.0.0/8', expected: '198.51.100.66', why: 'the next one is no proxy' },
    { trust: '10.0.0.2', expected: '10.0.0.1', why: 'the peer is not listed, so the header is its own' },
    { trust: 'fc00::/7', expected: '10.0.0.1', why: 'the peer is not in the network' },
  ])('$trust: $expected, $why', ({ trust, expected }) => {
    expect(counted({ trust, forwardedFor: header })).toBe(expected);
  });

  test('a peer with a mapped address belongs to its IPv4 network', () => {
    expect(counted({ trust: 'loopback', peer: '::ffff:127.0.0.1', forwardedFor: header })).toBe('10.0.0.2');
    expect(counted({ trust: 'loopback', peer: '::1', forwardedFor: '2001:db8:5::9' })).toBe(
      '2001:db8:5:0::/64',
    );
  });

  test('what a client puts before its own address has no effect with a number or a list of proxies', () => {
    for (const trust of ['1', '10.0.0.1']) {
      for (const sent of ['1.1.1.1', 'x'.repeat(9_000), ',,,', '10.0.0.1', '::1, 8.8.8.8']) {
        expect(counted({ trust, forwardedFor: `${sent}, 192.0.2.7` })).toBe('192.0.2.7');
      }
    }
  });
});

describe('TRUST_PROXY', () => {
  test.each([
    ['', false],
    ['false', false],
    ['FALSE', false],
    ['true', true],
    ['True', true],
    ['0', 0],
    ['2', 2],
    ['32', 32],
    ['10.0.0.1', ['10.0.0.1']],
    [' 10.0.0.1 , fd00::/8, ', ['10.0.0.1', 'fd00::/8']],
    ['loopback', ['127.0.0.0/8', '::1/128']],
  ])('may be %j', (text, expected) => {
    expect(trustProxy(text)).toEqual(expected);
  });

  test.each([
    'foo',
    'yes',
    '-1',
    '33',
    '1.5',
    '10.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.0/255.0.0.0',
    '10.0.0/8',
    'fe80::1%eth0',
    'constructor',
    '10.0.0.1 10.0.0.2',
    '2, 10.0.0.1',
  ])('may not be %s', (text) => {
    expect(() => trustProxy(text)).toThrow(ConfigError);
    expect(() => trustProxy(text)).toThrow(/^TRUST_PROXY must be .+, not ".+"$/);
  });
});
