import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

interface Plan {
  update: { id: string; members?: string[] }[]
}

const manifest = {
  app_id: 'desk',
  name: 'Desk',
  agents: [
    {
      local_id: 'ada',
      name: 'Ada',
      heart: {
        tasks: [
          {
            task_id: 'say',
            name: 'Say',
            runtime: 'template',
            prompt: 'x',
            output_sharing: {
              enabled: true,
              target_agent_id: 'desk--grace',
              target_task_id: 'hear',
            },
          },
        ],
      },
    },
    {
      local_id: 'grace',
      name: 'Grace',
      heart: { tasks: [{ task_id: 'hear', name: 'Hear', runtime: 'template' }] },
    },
  ],
}

describe.each(stores())(
  'a manifest and the word of a key that acts as an agent, on $name',
  (kind) => {
    let store: Store
    let world: World
    let key: string

    beforeEach(async () => {
      store = await kind.open()
      world = openWorld(store)
      key = (await world.account()).key
      await world.ask('agent_apps.provision', { manifest }, key)
    })
    afterEach(() => store.close())

    it('takes a hand-off upon itself that the key wrote in the same words', async () => {
      const place = { char_id: 'desk--ada', task_id: 'say' }
      const heard = () => store.runs.count({ char_id: 'desk--grace' })
      await world.ask('tasks.run', place, key)
      expect(await heard()).toBe(1)
      const scope = { name: 'Scoped', scope_char_id: 'desk--ada' }
      const scoped = await world.ask<{ key: string }>('api_keys.create', scope, key)
      const { output_sharing } = await world.ask<{ output_sharing: object }>(
        'tasks.get',
        place,
        key,
      )
      for (const sharing of [null, output_sharing]) {
        await world.ask('tasks.update', { ...place, task: { output_sharing: sharing } }, scoped.key)
      }
      await world.ask('tasks.run', place, key)
      expect(await heard()).toBe(1)
      const apply = { app_id: 'desk', manifest }
      const { update } = await world.ask<Plan>('agent_apps.plan', apply, key)
      expect(update.find(({ id }) => id === 'desk--ada/say')?.members).toEqual(['output_sharing'])
      await world.ask('agent_apps.update', apply, key)
      await world.ask('tasks.run', place, key)
      expect(await heard()).toBe(2)
      expect((await world.ask<Plan>('agent_apps.plan', apply, key)).update).toEqual([])
    })
  },
)
