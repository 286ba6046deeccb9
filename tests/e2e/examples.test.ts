import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

interface Example {
  app_id: string
  agents: { local_id: string; heart?: { tasks?: { task_id: string }[] } }[]
  connections: object[]
}

interface Provisioned {
  agents: { local_id: string; id: string; tasks: string[] }[]
  connections: { char_id: string; friend_id: string; status: string }[]
  team: { members: object[] }
  warnings: { code: string }[]
}

const folder = new URL('../../examples/', import.meta.url)
/** What is no manifest: the settings of a compiler, and dashboards for operators. */
const others = /(?:^|\/)tsconfig\.json$|^operating\//
const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.json') && !others.test(path))
  .sort()

function read(path: string): Example {
  // What the validation below accepts has at least these members.
  return JSON.parse(readFileSync(new URL(path, folder), 'utf8')) as Example
}

it('there are the three examples that the documents speak of', () => {
  expect(paths).toEqual(['demo/manifest.json', 'research-newsroom.json', 'support-desk.json'])
})

describe.each(stores())('on $name', (kind) => {
  let world: World
  let key: string

  beforeAll(async () => {
    world = openWorld(await kind.open())
    key = (await world.account()).key
  })

  afterAll(async () => {
    await world.ports.sender.close()
    await world.ports.store.close()
  })

  describe.each(paths)('examples/%s', (path) => {
    const manifest = read(path)
    const { app_id } = manifest

    it('has nothing said against it, but that a person is needed', async () => {
      interface Checked {
        valid: boolean
        findings: { code: string }[]
      }
      const checked = await world.ask<Checked>('agent_apps.validate', { manifest }, key)
      expect(checked.valid).toBe(true)
      expect(checked.findings.filter(({ code }) => code !== 'no_person')).toEqual([])
    })

    it('is provisioned whole, and asks for nothing but its secrets and a person', async () => {
      const made = await world.ask<Provisioned>('agent_apps.provision', { manifest }, key)
      const asked = new Set(['secret_missing', 'no_person'])
      expect(made.warnings.filter(({ code }) => !asked.has(code))).toEqual([])
      expect(made.agents.map(({ local_id, id, tasks }) => ({ local_id, id, tasks }))).toEqual(
        manifest.agents.map(({ local_id, heart }) => ({
          local_id,
          id: `${app_id}--${local_id}`,
          tasks: heart?.tasks?.map((task) => task.task_id) ?? [],
        })),
      )
      const pairs = new Set(
        made.connections.map(({ char_id, friend_id }) => [char_id, friend_id].sort().join()),
      )
      expect(made.connections).toHaveLength(pairs.size * 2)
      expect(new Set(made.connections.map(({ status }) => status))).toEqual(new Set(['accepted']))
      expect(made.team.members).toHaveLength(manifest.agents.length)
    })

    it('is read back as it was sent, but for its secrets', async () => {
      const kept = await world.ask('agent_apps.manifest', { app_id }, key)
      expect(kept).toEqual(masked(manifest))
      expect(JSON.stringify(kept)).not.toContain('replace-with')
    })

    it('is gone without a trace after its teardown', async () => {
      await world.ask('agent_apps.teardown', { app_id }, key)
      const left = await world.ask<{ items: object[] }>('characters.list', { app_id }, key)
      expect(left.items).toEqual([])
      expect(await world.refusal('agent_apps.get', { app_id }, key)).toMatchObject({
        code: 'app_not_found',
      })
    })
  })
})

/** The examples hold secrets nowhere but in members of this name. */
function masked(value: unknown): unknown {
  const text = JSON.stringify(value, (name, member: unknown) =>
    name === 'secret' ? '***' : member,
  )
  return JSON.parse(text) as unknown
}
