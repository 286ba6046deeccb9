import type { ChannelServices } from '#src/core/settings.ts'
import type { CarriedKind } from './kinds.ts'

/** Where a call goes, and what shows there who sends it. */
export interface ServiceCall {
  url: string
  headers: Record<string, string>
  /** It goes to the address that the operator has set for the service. */
  isService: boolean
}

type Web = Exclude<CarriedKind, 'email'>

/** Whether a secret is itself the address that messages are sent to. */
export function isAddress(secret: string): boolean {
  return /^https?:\/\//i.test(secret)
}

/** The address as it may be shown: without what is secret in it. */
export function shownAddress(
  services: ChannelServices,
  kind: CarriedKind,
  { to, secret }: { to: string | null; secret: string | null },
): string {
  if (kind === 'email') return `mailto:${to ?? ''}`
  if (secret !== null && isAddress(secret)) return URL.parse(secret)?.origin ?? services[kind]
  return services[kind] + paths[kind](to ?? '')
}

const paths: Readonly<Record<Web, (to: string) => string>> = {
  slack: () => '/api/chat.postMessage',
  discord: (to) => `/api/v10/channels/${encodeURIComponent(to)}/messages`,
  telegram: () => '/sendMessage',
}

/** The call that sends it. @param url as it is shown */
export function serviceCall(
  services: ChannelServices,
  { kind, url, secret }: { kind: Web; url: string; secret: string },
): ServiceCall {
  const service = services[kind]
  if (isAddress(secret)) {
    const isService = URL.parse(secret)?.origin === URL.parse(service)?.origin
    return { url: secret, headers: {}, isService }
  }
  if (kind === 'telegram') {
    const path = `/bot${encodeURIComponent(secret).replaceAll('%3A', ':')}/sendMessage`
    return { url: service + path, headers: {}, isService: true }
  }
  const scheme = kind === 'slack' ? 'Bearer' : 'Bot'
  return { url, headers: { authorization: `${scheme} ${secret}` }, isService: true }
}
