import { expect } from 'vitest'
import { agent, given, type As, type Case, type Made, type Stage } from '../case.ts'

const service = { task_id: 'portrait', name: 'P', runtime: 'template', service_enabled: true }

/** What an agent of the owner ordered of a stranger's, and who asks for it afterwards. */
const ordered = async (stage: Stage, asker: 'ada' | 'grace'): Promise<Made> => {
  const seller = { id: stage.id('seller'), name: 'S', heart: { tasks: [service] } }
  const shown = { ...seller, visibility: { profile_visibility: 'public' } }
  const { id: char_id } = await stage.ask('characters.create', { character: shown }, 'stranger')
  const ids = { ada: await agent(stage, 'ada'), grace: await agent(stage, 'grace') }
  await stage.scopeTo(ids.ada)
  const wanted = { char_id, task_id: 'portrait' }
  const made = await stage.world.ask<Made>('orders.create', wanted, stage.extra.scoped)
  if (asker === 'grace') await stage.scopeTo(ids.grace)
  return made
}

const seen = (title: string, as: As): Case =>
  given({
    op: 'orders.get',
    title,
    as,
    given: (stage) => ordered(stage, 'ada'),
    input: ({ id }) => ({ order_id: id }),
    answer: (answer, { id }) => expect(answer.id).toBe(id),
  })

const unseen = (op: 'orders.get' | 'orders.rate'): Case =>
  given({
    op,
    title: 'the order of another agent of the account is not there',
    as: 'scoped',
    given: (stage) => ordered(stage, 'grace'),
    input: ({ id }) => ({ order_id: id, ...(op === 'orders.rate' && { stars: 1 }) }),
    refusal: 'order_not_found',
  })

/** To whom of an account an order belongs. */
export const buyers: readonly Case[] = [
  seen('the agent that ordered sees its order', 'scoped'),
  seen('the account sees what its agents ordered', 'owner'),
  unseen('orders.get'),
  unseen('orders.rate'),
]
