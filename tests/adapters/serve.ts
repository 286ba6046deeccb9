import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { compose, type Abode } from '#adapters/compose/compose.ts'
import { readConfig } from '#adapters/config/read.ts'
import type { CorePorts } from '#src/core/call.ts'
import type { Operation } from '#src/core/operation.ts'
import { echoes } from './echo-catalog.ts'

export interface Serving extends AsyncDisposable {
  abode: Abode
  logged: readonly Logged[]
  url: string
  port: number
  /** Where its data are. */
  folder: string
  /** A request to a path; the body, when it is JSON, parsed. */
  ask(path: string, init?: RequestInit): Promise<Asked>
  /** Opens a socket, writes these bytes, and gives all that comes back until it is closed. */
  raw(bytes: string): Promise<string>
  socket(): Socket
}

export interface Logged {
  level: string
  message: string
  fields: Record<string, unknown>
}

export interface Asked {
  status: number
  headers: Headers
  text: string
  body: Body
}

/** What the tests look into: members of refusals, and of what echoes heard. */
export interface Body {
  detail?: string
  code?: string
  errors?: { pointer: string; code: string }[]
  hint?: string
  request_id?: string
  retry_after_s?: number
  status?: number | string
  input?: unknown
  address?: string
  traceparent?: string | null
  expected?: number | null
}

/** The real server over an empty store, with a catalog of echoes in place of the real one. */
export async function serving(
  env: Record<string, string> = {},
  catalog: readonly Operation[] = echoes,
  overrides: Partial<CorePorts> = {},
): Promise<Serving> {
  const folder = await mkdtemp(join(tmpdir(), 'abode-http-'))
  const config = readConfig({ PORT: '0', DATA_DIR: folder, ABODE_LOG_LEVEL: 'silent', ...env })
  const logged: Logged[] = []
  const note =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      void logged.push({ level, message, fields })
  const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }
  const abode = await compose(config, { catalog, log, ...overrides })
  const { url } = await abode.listen()
  const port = Number(new URL(url).port)
  const socket = (): Socket => connect(port, '127.0.0.1')
  return {
    abode,
    logged,
    url,
    port,
    folder,
    socket,
    async ask(path, init) {
      const response = await fetch(url + path, init)
      const sent = await response.text()
      const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '') && sent !== ''
      // What comes is checked by the tests themselves.
      const body = isJson ? (JSON.parse(sent) as Body) : {}
      return { status: response.status, headers: response.headers, text: sent, body }
    },
    raw(bytes) {
      const opened = socket()
      opened.write(bytes)
      return text(opened)
    },
    async [Symbol.asyncDispose]() {
      await abode.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A request with a body of JSON. */
export function sending(method: string, body: unknown, headers: Record<string, string> = {}) {
  return {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}
