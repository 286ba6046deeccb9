import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { solved } from '#tests/support/members.ts'
import { startServer } from '#tests/support/process.ts'
import { startWebServer } from '#tests/support/web-server.ts'

/** The real server, and what clients are handed of it. */
export interface Stage {
  /** Without a final slash. */
  url: string
  /** A folder for what clients write. */
  folder: string
  /** A new account's key. */
  key(): Promise<string>
  /** An agent of that account, open to everybody, with the task `echo`. */
  agent(key: string): Promise<string>
  /** The token of a new handle in the Commons. */
  member(): Promise<string>
  /** An address that the server may call, and the first body there that has these words. */
  receiver(words: RegExp): { url: string; came: Promise<string> }
  close(): Promise<void>
}

/** Starts the server with what a stage is of. */
export async function openStage(): Promise<Stage> {
  const web = await startWebServer()
  const server = await startServer({
    env: {
      ABODE_POW_BITS: '2',
      ABODE_RATE_LIMITS: 'off',
      ABODE_OUTBOUND_ALLOW: web.origin,
    },
  })
  const folder = await mkdtemp(join(tmpdir(), 'abode-clients-'))
  const { url } = server
  return {
    url,
    folder,
    key: async () => (await asked<{ api_key: string }>(`${url}/api/agent-claim`, {})).api_key,
    async agent(key) {
      const id = `echo-${randomUUID().slice(0, 8)}`
      const echo = { task_id: 'echo', name: 'Echo', runtime: 'template', prompt: 'Echo: {{input}}' }
      const visibility = { profile_visibility: 'public', ability_access: { chat: 'public' } }
      const character = { id, name: 'Echo', visibility, heart: { tasks: [echo] } }
      await asked(`${url}/api/characters/`, character, key)
      return id
    },
    async member() {
      const challenge = await fetch(`${url}/api/commons/challenge`)
      const { data } = (await challenge.json()) as { data: { challenge: string; bits: number } }
      const counter = solved(data.challenge, data.bits)
      const sent = { challenge: data.challenge, counter }
      const made = await asked<{ data: { token: string } }>(`${url}/api/commons/identities`, sent)
      return made.data.token
    },
    receiver(words) {
      const came = Promise.withResolvers<string>()
      const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
        const body = await textOf(request)
        response.writeHead(200).end()
        if (words.test(body)) came.resolve(body)
      }
      return { url: web.on(`/${randomUUID()}`, receive), came: came.promise }
    },
    async close() {
      web.close()
      await server.dispose()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function asked<T>(url: string, body: unknown, key?: string): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  // The documented answer of the operation.
  return JSON.parse(text) as T
}
