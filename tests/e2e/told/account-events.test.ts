import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { type Place, stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'

interface Told {
  id: string
  seq: number
  type: string
}

describe.each(stores())(
  'the events of an account, of two processes on one store ($name)',
  (kind) => {
    let place: Place
    let front: ServerProcess
    let back: ServerProcess
    let key = ''

    const start = (work: string): Promise<ServerProcess> => {
      const env: Record<string, string> = { ABODE_MASTER_KEY: '07'.repeat(32), ABODE_WORK: work }
      if (place.uri !== undefined) env['MONGODB_URI'] = place.uri
      return startServer({ dataDir: place.folder, env })
    }

    beforeAll(async () => {
      place = await kind.place()
      front = await start('api')
      back = await start('api,runner,scheduler')
      key = (await send<{ api_key: string }>(front, '/api/agent-claim', {})).api_key
      const task = {
        task_id: 't',
        name: 'T',
        runtime: 'template',
        prompt: 'x',
        post_to_feed: false,
      }
      const character = { id: 'told', name: 'Told', heart: { tasks: [task] } }
      await send(front, '/api/characters/', character)
    })
    afterAll(async () => {
      await Promise.all([front.dispose(), back.dispose()])
      await place.remove()
    })

    async function send<T>(to: ServerProcess, path: string, body: unknown): Promise<T> {
      const headers: Record<string, string> = { 'content-type': 'application/json' }
      if (key) headers['authorization'] = `Bearer ${key}`
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await fetch(to.url + path, init)
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      // The test knows what it asks for.
      return (await response.json()) as T
    }
    const run = (at: ServerProcess): Promise<object> =>
      send(at, '/api/characters/told/tasks/t/run', {})

    /** What a stream has told so far, until its server ends. */
    async function follow(to: ServerProcess, into: Told[], last?: string): Promise<void> {
      const headers: Record<string, string> = {
        accept: 'text/event-stream',
        authorization: `Bearer ${key}`,
        ...(last !== undefined && { 'last-event-id': last }),
      }
      const { body, status } = await fetch(`${to.url}/api/account/events`, { headers })
      expect(status).toBe(200)
      let text = ''
      const read = async (): Promise<void> => {
        for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
          text += piece
          const whole = text.split('\n\n')
          text = whole.pop() ?? ''
          for (const one of whole) {
            const [, id = '', data = ''] = /^id: (.*)\nevent: .*\ndata: (.*)$/m.exec(one) ?? []
            // The stream sends events of the account.
            if (data) into.push({ ...(JSON.parse(data) as Omit<Told, 'id'>), id })
          }
        }
      }
      // The server is killed under it.
      void read().catch(() => undefined)
    }

    it('reach a reader at either, and go on after a kill without a gap and without a double', async () => {
      const told: Told[] = []
      await follow(front, told)
      await Promise.all([run(front), run(back), run(front), run(back)])
      await until(() => told.length === 8)
      await front.end('SIGKILL')
      await Promise.all([run(back), run(back)])
      front = await start('api')
      await follow(front, told, told.at(-1)?.id)
      await run(front)
      await until(() => told.length === 14)
      expect(told.map(({ seq }) => seq)).toEqual(Array.from({ length: 14 }, (_, i) => i + 1))
      expect(told.filter(({ type }) => type === 'run.completed')).toHaveLength(7)
    })
  },
)
