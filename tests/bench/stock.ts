import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openStore } from '#adapters/store/open.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { agent, agentsStored, agentWithTasks } from './documents.ts'

/** The keys of the accounts: agents with tasks, agents without, and one for new agents. */
export interface Keys {
  reader: string
  lister: string
  writer: string
}

/** More at a time would not fit into one commit. */
const atOnce = 256

/**
 * Fills a new folder by the product's own operations, so that what is stored is what it would be.
 * @param agents how many the reader has, each with two tasks
 */
export async function stockFolder(folder: string, agents = agentsStored): Promise<Keys> {
  const store = await openStore({ folder })
  try {
    const world = openWorld(store)
    const [reader, lister, writer] = [
      await world.account(),
      await world.account(),
      await world.account(),
    ]
    await createAll(world, reader.key, agents, (n) => agentWithTasks(`agent-${n}`))
    await createAll(world, lister.key, agentsStored, (n) => agent(`listed-${n}`))
    return { reader: reader.key, lister: lister.key, writer: writer.key }
  } finally {
    await store.close()
  }
}

async function createAll(
  world: World,
  key: string,
  count: number,
  make: (n: number) => object,
): Promise<void> {
  for (let begun = 0; begun < count; begun += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, count - begun) }, (_, i) => begun + i)
    await Promise.all(
      numbers.map((n) => world.ask('characters.create', { character: make(n) }, key)),
    )
  }
}

/** Gives the handler written by hand the same documents: what the product in this folder answers. */
export async function stockBare(folder: string, product: string, keys: Keys): Promise<void> {
  const store = await openStore({ folder: product })
  try {
    const world = openWorld(store)
    const rows: string[][] = []
    for (const [owner, key, prefix] of [
      ['reader', keys.reader, 'agent'],
      ['lister', keys.lister, 'listed'],
    ] as const) {
      for (let n = 0; n < agentsStored; n++) {
        const char_id = `${prefix}-${n}`
        const document = await world.ask('characters.get', { char_id }, key)
        rows.push([owner, char_id, JSON.stringify(document)])
      }
    }
    await writeFile(join(folder, 'agents.json'), JSON.stringify(rows))
  } finally {
    await store.close()
  }
}
