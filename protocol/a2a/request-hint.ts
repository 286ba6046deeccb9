import type { Version } from './names.ts'

/** Params of a message, by the version of the protocol. */
export const helloParams = {
  '1.0': { message: { messageId: '1', role: 'ROLE_USER', parts: [{ text: 'Hello' }] } },
  '0.3': { message: { messageId: '1', role: 'user', parts: [{ kind: 'text', text: 'Hello' }] } },
} as const satisfies Readonly<Record<Version, object>>

/** What a request looks like, for hints. @param method with params that work, if it is known what was meant */
export function requestHint(
  { method, params }: { method: string; params: object } = {
    method: 'SendMessage',
    params: helloParams['1.0'],
  },
): string {
  const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return `Send one such as ${request}, with the header "A2A-Version: 1.0".`
}
