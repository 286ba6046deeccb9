import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose, type Abode } from '#adapters/compose/compose.ts'
import { readConfig } from '#adapters/config/read.ts'

/** A server of its own, and what a browser sends to it. */
export interface Served {
  abode: Abode
  url: string
  close(): Promise<void>
  /** As a page of the service would, unless told otherwise: JSON, with this cookie, from this origin. */
  send: (method: string, path: string, options?: Sending) => Promise<Heard>
}

export interface Sending {
  /** The whole header. */
  cookie?: string | undefined
  /** Null sends none; by default the address of the service. */
  origin?: string | null
  body?: unknown
  headers?: Record<string, string>
}

export interface Heard {
  status: number
  code: string | undefined
  body: Record<string, unknown> & { hint?: string }
  headers: Headers
  /** Of the first cookie that is set: its name and value, as a browser sends it back. */
  kept: string | undefined
}

export async function serve(env: Record<string, string> = {}): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'abode-people-'))
  const config = readConfig({
    PORT: '0',
    DATA_DIR: folder,
    ABODE_LOG_LEVEL: 'silent',
    ABODE_RATE_LIMITS: 'off',
    ABODE_POW_BITS: '2',
    ...env,
  })
  const abode = await compose(config)
  const { url } = await abode.listen()
  return {
    abode,
    url,
    async close() {
      await abode.close()
      rmSync(folder, { recursive: true, force: true })
    },
    async send(method, path, { cookie, origin = url, body, headers = {} } = {}) {
      const isForm = body instanceof FormData
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(cookie !== undefined && { cookie }),
          ...(origin !== null && { origin }),
          ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
      const parsed = (isJson ? JSON.parse(text) : { text }) as Heard['body']
      const { error } = parsed
      const inEnvelope = typeof error === 'object' && error !== null ? { ...error } : {}
      const said: Record<string, unknown> = { ...parsed, ...inEnvelope }
      return {
        status: response.status,
        code: typeof said.code === 'string' ? said.code : undefined,
        body: said,
        headers: response.headers,
        kept: response.headers.getSetCookie()[0]?.split(';')[0],
      }
    },
  }
}

let count = 0

/** Registers a new person at a server. @returns their cookie, address and own account */
export async function registered({
  send,
}: Pick<Served, 'send'>): Promise<{ cookie: string; email: string; account_id: string }> {
  const email = `ada${(count += 1)}@example.org`
  const heard = await send('POST', '/api/auth/register', { body: { email, password: words } })
  if (heard.kept === undefined) throw new Error(`registration failed: ${heard.code}`)
  return { cookie: heard.kept, email, account_id: String(heard.body.account_id) }
}

/** The password of everybody who registers here. */
export const words = 'a few words in a row'
