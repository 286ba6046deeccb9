import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Warning } from '#src/core/schema.ts'
import { stores } from '#tests/support/stores.ts'
import { agentWithTask } from '../case.ts'
import { a2aDoor, mcpDoor, restDoor } from '../doors/doors.ts'
import { openServer, type PlayedServer } from '../doors/server.ts'
import { newStage, operationNamed } from '../play.ts'
import { typo } from './row.ts'

const doors = { rest: restDoor, mcp: mcpDoor, a2a: a2aDoor }

interface Listed {
  items: unknown[]
  warnings?: Warning[]
}

describe.each(stores())('a list that is empty, on $name,', (kind) => {
  let server: PlayedServer
  let key: string
  let stage: ReturnType<typeof newStage>
  let own: { char_id: string; task_id: string }
  beforeAll(async () => {
    server = await openServer(kind)
    stage = newStage(server.world)
    own = await agentWithTask(stage)
    key = await stage.key('owner')
  })
  afterAll(() => server.close())

  describe.each(['rest', 'mcp', 'a2a'] as const)('by %s', (door) => {
    const listed = async (name: string, input: object): Promise<Listed> => {
      const call = { op: operationNamed(name), input, credential: key }
      const { answer, error } = await doors[door](server.url)(call)
      expect(error).toBeUndefined()
      return answer as Listed
    }

    it('says which filter names nothing, and what is nearest', async () => {
      const app_id = stage.id('newsroom')
      for (const [name, member, value, nearest] of [
        ['runs.list', 'task_id', typo(own.task_id), own.task_id],
        ['runs.list', 'app_id', app_id, undefined],
        ['runs.list', 'root_run_id', 'run_nothing', undefined],
        ['characters.list', 'app_id', app_id, undefined],
        ['messages.list', 'with', typo(own.char_id), undefined],
        ['wallet.transactions', 'char_id', stage.id('missing'), undefined],
      ] as const) {
        const input = { [member]: value, ...(name === 'messages.list' && { char_id: own.char_id }) }
        const { items, warnings } = await listed(name, input)
        expect(items).toEqual([])
        expect(warnings, name).toMatchObject([{ code: 'unknown', pointer: `/${member}` }])
        expect(warnings?.[0]?.message).toContain(`"${value}"`)
        if (nearest) expect(warnings?.[0]?.message).toContain(`"${nearest}"`)
      }
    })

    it('says nothing where its filters name what is there', async () => {
      for (const input of [own, { task_id: own.task_id }, {}]) {
        expect(await listed('runs.list', input)).not.toHaveProperty('warnings')
      }
    })
  })
})
