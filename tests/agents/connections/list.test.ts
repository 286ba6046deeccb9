import { describe, expect, it } from 'vitest'
import { newId } from '#src/core/ids.ts'
import { signedInPerson } from '#tests/accounts/people/persons.ts'
import { connectedProgram, connectedServer } from '#tests/oauth/connection.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld } from '#tests/support/world.ts'

interface Page {
  items: { id: string; created_at: string }[]
  next_cursor: string | null
}

describe.each(stores())('the list of all connections, on $name', (kind) => {
  it.each([1, 2, 3, 20])('is whole and in order by pages of %i', async (limit) => {
    const store = await kind.open()
    try {
      const world = openWorld(store)
      const { ports } = world
      const person = await signedInPerson(ports)
      const program = await connectedProgram(ports, person)
      await store.connections.delete({ id: program.id })
      const expected: Page['items'] = []
      // Some at the same time as others, and stretches of one kind alone.
      for (const [i, sort] of Array.from('ppsspsssspp').entries()) {
        const created_at = `2026-01-01T00:00:0${Math.floor(i / 2)}.000Z`
        if (sort === 's') {
          expected.push(await connectedServer(ports, person, created_at))
          continue
        }
        const one = { ...program, id: newId('con'), created_at }
        await store.connections.insert(one)
        expected.push(one)
      }
      expected.sort((a, b) => (`${a.created_at} ${a.id}` < `${b.created_at} ${b.id}` ? 1 : -1))
      const found: string[] = []
      let cursor: string | null = null
      do {
        const page: Page = await world.ask(
          'connections.list',
          { limit, ...(cursor !== null && { cursor }) },
          { token: person.token },
        )
        expect(page.items.length).toBeLessThanOrEqual(limit)
        found.push(...page.items.map(({ id }) => id))
        cursor = page.next_cursor
      } while (cursor !== null)
      expect(found).toEqual(expected.map(({ id }) => id))
    } finally {
      await store.close()
    }
  })
})
