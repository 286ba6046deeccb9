import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { artifactId } from '#src/core/authorization/token-callers.ts'
import { newToken } from '#src/core/ids.ts'
import { secondsAfter } from '#src/core/time.ts'
import { openStore } from '#adapters/store/open.ts'
import { signedInPerson } from '#tests/accounts/people/persons.ts'
import { connectedProgram } from '#tests/oauth/connection.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { agent, agentsStored, agentWithTasks } from './documents.ts'

/** The keys of the accounts: agents with tasks, agents without, and one for new agents. */
export interface Keys {
  reader: string
  lister: string
  writer: string
  /** A run of the reader's that has ended. */
  run: string
  /** An access token of a program that is connected to the account of the reader. */
  token: string
}

/** The public URL of servers on such a folder, for which the token was issued. */
export const stockedUrl = 'http://127.0.0.1:8080'

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
    const token = await connected(world, reader.id)
    const start = { char_id: 'agent-0', task_id: 'greet', input: { name: 'visitor' } }
    const run = await world.ask<{ id: string }>('tasks.run', start, reader.key)
    return { reader: reader.key, lister: lister.key, writer: writer.key, token, run: run.id }
  } finally {
    await store.close()
  }
}

/** A token as the authorization server keeps it, of a program that the account's person has connected. */
async function connected({ ports }: World, accountId: string): Promise<string> {
  const { store } = ports
  const person = await signedInPerson(ports)
  await store.accounts.update({ id: accountId }, { $set: { holder_id: person.id } })
  const { id } = await connectedProgram(ports, { ...person, account_id: accountId })
  const token = newToken('abt')
  await store.oauth_artifacts.insert({
    id: artifactId('AccessToken', token),
    payload: JSON.stringify({ scope: 'read', aud: stockedUrl }),
    grant_id: id,
    user_code: null,
    consumed_at: null,
    expires_at: secondsAfter(new Date(), 86_400),
  })
  return token
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
