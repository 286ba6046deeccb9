import type { StreamResponse } from '@a2a-js/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startModelServer, type ModelServer } from '#tests/support/model-server.ts'
import { mcpClients } from '#tests/support/mcp-clients.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { call, newKey } from '#tests/support/rest/call.ts'
import { type Place, stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { a2aClients, saying } from '../a2a-clients.ts'
import { callWith } from '../stdio/hosts.ts'

describe.each(stores())('the text of a model in another process ($name)', (kind) => {
  let place: Place
  let model: ModelServer
  let front: ServerProcess
  let back: ServerProcess
  let owner = ''

  beforeAll(async () => {
    place = await kind.place()
    model = await startModelServer()
    const start = (work: string): Promise<ServerProcess> => {
      const env = {
        ABODE_MASTER_KEY: '07'.repeat(32),
        ABODE_WORK: work,
        OPENAI_BASE_URL: model.baseUrl,
        ABODE_DEFAULT_MODEL: 'openai-compatible/local',
        ...(place.uri !== undefined && { MONGODB_URI: place.uri }),
      }
      return startServer({ dataDir: place.folder, env })
    }
    front = await start('api')
    back = await start('api,runner')
    owner = await newKey(front.url)
    const character = {
      id: 'ada',
      name: 'Ada',
      visibility: { profile_visibility: 'public', ability_access: { chat: 'public' } },
      heart: { tasks: [{ task_id: 't', name: 'T', prompt: 'Say {{input}}' }] },
    }
    await call(front.url, 'POST', '/api/characters/', owner, character)
  })
  afterAll(async () => {
    await Promise.all([front.dispose(), back.dispose()])
    model.close()
    await place.remove()
  })

  /** The text that a stream has appended to its artifact so far. */
  async function read(events: AsyncIterable<StreamResponse>, into: { id: string; text: string }) {
    for await (const { payload } of events) {
      if (payload?.$case === 'task') into.id = payload.value.id
      if (payload?.$case !== 'artifactUpdate') continue
      const { append, artifact } = payload.value
      const content = artifact?.parts[0]?.content
      const text = content?.$case === 'text' ? content.value : ''
      into.text = append ? into.text + text : text
    }
  }

  it.each(a2aClients)(
    'reaches a stranger by A2A $version, and its owner by MCP and REST, while it is written',
    async ({ speak }) => {
      model.plays({ text: ['It ', 'is ', 'warm'], hangs: true })
      const client = await speak(`${front.url}/a2a/ada`, await newKey(front.url))
      const sender = { id: '', text: '' }
      const reading = read(client.sendMessageStream(saying('how it is')), sender)
      await until(() => sender.text === 'It is warm', { seconds: 30 })
      const run = sender.id
      const late = { id: '', text: '' }
      const resumed = read(client.resubscribeTask({ tenant: '', id: run }), late)
      await until(() => late.text === 'It is warm', { seconds: 30 })

      for (const [, connect] of mcpClients) {
        const host = await connect(`${front.url}/mcp`, { key: owner })
        const leave = new AbortController()
        let said = ''
        const waiting = callWith(
          host,
          'runs_events',
          { run_id: run, wait_seconds: 60 },
          {
            signal: leave.signal,
            onprogress: (note) => {
              const { _meta, message } = note as { _meta?: object; message?: string }
              if (_meta && 'abode/text' in _meta) said += message ?? ''
            },
          },
        ).catch(() => undefined)
        await until(() => said === 'It is warm', { seconds: 30 })
        leave.abort()
        await waiting
        await host.close()
      }

      const headers = { accept: 'text/event-stream', authorization: `Bearer ${owner}` }
      const { body } = await fetch(`${front.url}/api/runs/${run}/events?pieces=true`, { headers })
      const stream = body?.pipeThrough(new TextDecoderStream())
      expect(body).not.toBeNull()
      let shown = ''
      const pieces = /^event: model\.piece\ndata: .*"text":"([^"]*)"/gm
      for await (const part of stream ?? []) {
        shown += part
        const text = [...shown.matchAll(pieces)].map(([, piece]) => piece).join('')
        if (text === 'It is warm') break
      }
      await call(front.url, 'POST', `/api/runs/${run}/cancel`, owner, {})
      await Promise.all([reading, resumed])
    },
  )
})
