import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allows, type AccountRole } from '#src/core/authorization/account-roles.ts'
import { isOfCommons, scopeOf } from '#src/core/operation-facts.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { heldAccount, newMember, type Held } from './crew.ts'

describe.each(oneStore())('the roles of persons', (kind) => {
  let world: World
  let held: Held
  beforeAll(async () => {
    world = openWorld(await kind.open())
    held = await heldAccount(world)
  })
  afterAll(() => world.ports.store.close())

  it.each(['approver', 'reader'] as const)(
    'let a %s do what has its scopes, and nothing else in the whole catalog',
    async (role: AccountRole) => {
      const { session } = await newMember(world, held, role)
      const asked = world.core.catalog.filter(({ auth, ofPerson }) => auth !== 'none' && !ofPerson)
      expect(asked.length).toBeGreaterThan(130)
      for (const operation of asked) {
        const call = { operation, input: operation.example, credential: undefined, session }
        const { refusal } = await world.core.serve({ ...call, address: '', requestId: 'test' })
        const isRefused = refusal?.members?.role === role
        expect(isRefused, operation.name).toBe(!allows(role, scopeOf(operation)))
        if (isRefused) {
          expect(refusal?.code).toBe(isOfCommons(operation) ? 'forbidden' : 'role_needed')
          expect(refusal?.hint).toContain('account.members.list')
        }
      }
    },
  )
})
