import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { wrong, type Read } from './values.ts'

/** An address to listen on, or a name that resolves to one. */
export const host: Read<string> = (text) => {
  const isName = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text)
  // A name that ends in a number is an IPv4 address, so it must be a complete one.
  const isNumber = /(?:^|\.)(?:[0-9]+|0[xX][0-9A-Fa-f]*)$/.test(text)
  if (isIP(text) !== 0 || (isName && !isNumber)) return text
  return wrong('must be a host name or an IP address, without brackets or port', text)
}

/** An absolute http or https address, returned without its final slash. */
export const webAddress: Read<string> = (text) => {
  const url = URL.parse(text)
  const isPlain = url && !url.username && !url.password && !/[?#\s]/.test(text)
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '')
  return wrong(
    'must be an absolute http or https address without credentials, query or fragment',
    text,
  )
}

/** Where to ask a person: an e-mail address or a URL. Shown to everyone as it is. */
export const contact: Read<string> = (text) => {
  const isMail =
    /^(?:mailto:)?[^\s@<>"'`]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text)
  const url = /^[!-~]{1,500}$/.test(text) ? URL.parse(text) : null
  const isPage = url && /^https?:$/.test(url.protocol) && !url.username && !url.password
  if (isMail || isPage) return text
  return wrong('must be an e-mail address, or an absolute http or https address', text)
}

/** Scheme, host and port of an address, and nothing else. */
export const origin: Read<string> = (text) => {
  const address = webAddressOr(text)
  if (address !== undefined && new URL(address).pathname === '/') return new URL(address).origin
  return wrong('must be origins (scheme://host:port) between commas', text)
}

function webAddressOr(text: string): string | undefined {
  try {
    return webAddress(text)
  } catch {
    return undefined
  }
}

/** An IP address or a network in CIDR notation, as a network. */
export const network: Read<string> = (text) => {
  const [address = '', bits] = text.split('/')
  // The library alone would also accept an address as one number, or with octal parts.
  if (isIP(address) !== 0 && !address.includes('%')) {
    if (bits === undefined) return `${address}/${isIP(address) === 4 ? 32 : 128}`
    if (/^[0-9]{1,3}$/.test(bits) && ipaddr.isValidCIDR(text)) return text
  }
  return wrong('must be IP addresses or networks such as 10.0.0.0/8 between commas', text)
}

/** The address of the database; the driver checks the rest of it. */
export const mongodbUri: Read<string> = (text) =>
  /^mongodb(?:\+srv)?:\/\/[^\s/]+/.test(text)
    ? text
    : wrong('must begin with mongodb:// or mongodb+srv:// and name a host', text)

/** Whether only this machine can reach a host. */
export function isHere(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
