/**
 * The address that the attempts of a client are counted by. Only IP addresses are taken from `X-Forwarded-For`, so that the
 * result has one spelling and a bounded length. IPv6 clients are counted by their /64, which one machine usually has as a whole.
 */

import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Whose `X-Forwarded-For` is trusted. false: none. true: every peer. A number: that many proxies in a chain. A list: proxies
 * with these addresses or in these networks.
 */
export type TrustProxy = boolean | number | readonly string[];

export function clientAddressReader(trustProxy: TrustProxy): (request: FastifyRequest) => string {
  const isTrusted = toTrust(trustProxy);
  return ({ raw }) =>
    clientAddress({
      peer: raw.socket.remoteAddress,
      forwardedFor: [raw.headers['x-forwarded-for'] ?? []].flat().join(),
      isTrusted,
    });
}

/** Whether a sender is a trusted proxy. The peer of the connection has distance 0, the sender before it 1. */
export type Trust = (address: string, distance: number) => boolean;

export function toTrust(trustProxy: TrustProxy): Trust {
  if (typeof trustProxy === 'boolean') return () => trustProxy;
  if (typeof trustProxy === 'number') return (_address, distance) => distance < trustProxy;
  const networks = toBlockList(trustProxy);
  return (address) => networks.check(address, familyOf(address));
}

/**
 * Each proxy appends the address of its own peer, so the header is read from its end. The first sender that is not trusted is
 * the client. If an entry is not an IP address, the client is unknown and the peer is counted.
 */
export function clientAddress(given: {
  peer: string | undefined;
  forwardedFor: string;
  isTrusted: Trust;
}): string {
  const peer = parseAddress(given.peer ?? '');
  if (peer === null) return UNKNOWN_PEER;
  const senders = given.forwardedFor === '' ? [] : given.forwardedFor.split(',').reverse();
  let client = peer;
  for (const [distance, text] of senders.entries()) {
    if (!given.isTrusted(client, distance)) break;
    const sender = parseAddress(text);
    if (sender === null) return countedAs(peer);
    client = sender;
  }
  return countedAs(client);
}

/** The connection has ended, and its address is no longer known. */
const UNKNOWN_PEER = 'unknown';

/** The length of an IPv6 address with an embedded IPv4 address, written in full. */
const MAX_ADDRESS_LENGTH = 45;
/** Some proxies add the port, with brackets around an IPv6 address. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/** Removes port and zone, and converts an IPv4-mapped IPv6 address to IPv4. Returns null if the text is not an IP address. */
function parseAddress(text: string): string | null {
  const trimmed = text.trim();
  const [, bracketed, plain] = WITH_PORT.exec(trimmed) ?? [];
  const [address = ''] = (bracketed ?? plain ?? trimmed).split('%', 1);
  if (address.length > MAX_ADDRESS_LENGTH || isIP(address) === 0) return null;
  return isIP(address) === 4 ? address : (mappedIpv4(groupsOf(address)) ?? address);
}

function countedAs(address: string): string {
  if (isIP(address) === 4) return address;
  const network = groupsOf(address).slice(0, 4);
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}

/** The eight groups of 16 bits of an IPv6 address. */
function groupsOf(address: string): number[] {
  const inHex = address.replace(/[\d.]+\.\d+$/, (ipv4) => {
    const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = [], tail = []] = inHex
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))));
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function mappedIpv4([a, b, c, d, e, marker, high = 0, low = 0]: readonly number[]): string | null {
  if ([a, b, c, d, e].some((group) => group !== 0) || marker !== 0xffff) return null;
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

function toBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = familyOf(address);
    list.addSubnet(address, prefix === undefined ? FULL_PREFIX[family] : Number(prefix), family);
  }
  return list;
}

const FULL_PREFIX = { ipv4: 32, ipv6: 128 };

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
