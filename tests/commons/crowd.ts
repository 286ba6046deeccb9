import type { Store } from '#src/ports/store.ts'
import { memberOf, raised } from '#tests/support/members.ts'
import type { World } from '#tests/support/world.ts'

export interface Member {
  handle: string
  token: string
}

/** So many members of a level above that of new handles. */
export async function crowd(
  world: World,
  store: Store,
  size: number,
  level: 1 | 2 | 3 | 4 = 1,
): Promise<Member[]> {
  const members: Member[] = []
  for (let i = 0; i < size; i++) {
    const member = await memberOf(world)
    await raised(store, member.handle, level)
    members.push(member)
  }
  return members
}

let posts = 0
const letters = 'bcdfghjklmnpqrstvwxz'

/** A text unlike all others, so that no two posts are near repeats of each other. */
function newText(): string {
  posts += 1
  const words = Array.from({ length: 12 }, (_, at) => {
    const word = Array.from({ length: 6 }, (_, i) => letters[(posts * (at + 3) + i * posts) % 20])
    return `${word.join('')}${posts}`
  })
  return words.join(' ')
}

export async function threadOf(world: World, { token }: Member, more: object = {}) {
  const input = { board: 'ask', title: `Why ${newText()}`, body: newText(), ...more }
  return world.ask<{ id: string; created_at: string }>('commons.threads.create', input, token)
}

export async function replyOf(
  world: World,
  { token }: Member,
  thread_id: string,
  body = newText(),
) {
  return world.ask<{ id: string }>('commons.replies.create', { thread_id, body }, token)
}
